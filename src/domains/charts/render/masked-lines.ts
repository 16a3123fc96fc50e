/** Masks what may be secret in a text that is no YAML: by lines, and rather too much than too little. */
import { looksSecret } from '#model/looks-secret.ts'

const entry = /^(\s*)(?:- +)*(['"]?)([\w./-]+)\2:(?:\s+(\S.*))?$/

export function maskedLines(text: string): string {
  /** How deep the block lies whose values are secrets: `data:`, `stringData:`, a value of several lines. */
  let hidden: number | undefined
  let name = ''
  const lines = text.split('\n').map((line) => {
    const indent = /^[ -]*/.exec(line)?.[0].length ?? 0
    if (/^(?:---|\.\.\.)/.test(line)) hidden = undefined
    if (line.trim() === '') return line
    if (hidden !== undefined && indent > hidden) return maskedLine(line)
    hidden = undefined
    const [, , , key, value] = entry.exec(line) ?? []
    if (key === undefined) return hasSecretWord(line) ? maskedLine(line) : line
    const isHolder = key === 'data' || key === 'stringData'
    if (isHolder) hidden = indent
    const isFlow = /^[[{]/.test(value ?? '')
    if (value !== undefined && (isHolder || (isFlow && hasSecretWord(value)))) {
      hidden = indent
      return maskedLine(line)
    }
    if (key === 'name') name = value ?? ''
    const isOfEnv = key === 'value' && looksSecret(name.replace(/^["']|["']$/g, ''), value ?? '')
    if (!isOfEnv && !looksSecret(key, value ?? '')) return line
    hidden = indent
    return maskedLine(line)
  })
  return lines.join('\n')
}

function maskedLine(line: string): string {
  const [, before] = /^(\s*(?:- +)*(?:['"]?[\w./-]+['"]?:\s*)?)/.exec(line) ?? []
  return `${before ?? ''}"******"`
}

function hasSecretWord(text: string): boolean {
  return looksSecret(text.replace(/\W/g, '_'), text.trim())
}
