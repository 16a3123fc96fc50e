/** Files of `[section]` and `name = value` lines; what SOPS notes stands in a section of its own. */
import type { OpenAge } from './age-keys.ts'
import { checkMac, newOpening, openValue } from './cipher.ts'
import { wordsOf } from './dotenv.ts'
import { fail } from './error.ts'
import { unflattened } from './flat.ts'
import { dataKeyOf, readMetadata } from './metadata.ts'
import { defined } from '#model/defined.ts'

type Line = {
  readonly section: string
  /** All before the value, or the whole line where there is none. */
  readonly start: string
  readonly name?: string
  readonly value?: string
}

/** Decrypted line by line, with the digest checked. */
export async function openIni(text: string, open?: OpenAge): Promise<string> {
  const lines = linesOf(text)
  const noted = lines.flatMap(({ section, name = '', value }): [string, string][] =>
    section === 'sops' && value !== undefined ? [[name, value]] : [],
  )
  const metadata = readMetadata(unflattened(noted))
  const opening = newOpening(await dataKeyOf(metadata, open), metadata)
  const opened = lines
    .filter(({ section }) => section !== 'sops')
    .map(({ section, start, name, value }) => {
      if (value === undefined) return start
      const path = name === undefined ? [section] : [section, name]
      if (name === undefined && !value.startsWith('ENC[')) return `${start}${value}`
      const plain = wordsOf(openValue(value, path, opening))
      return `${start}${name === undefined ? plain : written(plain)}`
    })
  checkMac(opening)
  return `${opened.join('\n').trimEnd()}\n`
}

function linesOf(text: string): readonly Line[] {
  let section = 'DEFAULT'
  return text.split('\n').map((line): Line => {
    const head = /^\s*\[(.+)\]\s*$/.exec(line)
    if (head !== null) section = defined(head[1])
    if (head !== null || line.trim() === '') return { section, start: line }
    const comment = /^(\s*[#;]\s*)(.*)$/.exec(line)
    if (comment !== null) return { section, start: defined(comment[1]), value: defined(comment[2]) }
    const found = /^((\s*[^=:]+?)\s*[=:]\s*)(.*?)\s*$/.exec(line)
    if (found === null) return fail('a line has not the form name = value')
    return {
      section,
      start: defined(found[1]),
      name: defined(found[2]).trim(),
      value: read(defined(found[3])),
    }
  })
}

function read(text: string): string {
  const quoted = /^"""(.*)"""$|^"(.*)"$|^`(.*)`$/s.exec(text)
  const bare = quoted === null ? text : (quoted[1] ?? quoted[2] ?? quoted[3] ?? '')
  return bare.replaceAll('\\n', '\n')
}

function written(text: string): string {
  if (/[\n`]/.test(text)) return `"""${text}"""`
  if (/[#;]/.test(text)) return `\`${text}\``
  return text.trim() === text ? text : `"${text}"`
}
