/** Reads a file of NAME=value lines. */
import { defined } from '#model/defined.ts'

export type EnvFile = {
  readonly entries: readonly (readonly [string, string])[]
  readonly faults: readonly { readonly line: number; readonly message: string }[]
}

/**
 * Blank lines and lines that begin with # mean nothing, `export ` before a name neither. A value in single quotes is
 * taken as it is, one in double quotes knows \n \t \" \\ and may span lines, another ends at ` #`. Nothing is looked up.
 */
export function readEnvFile(text: string): EnvFile {
  const entries: (readonly [string, string])[] = []
  const faults: { readonly line: number; readonly message: string }[] = []
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  for (let index = 0; index < lines.length; index++) {
    const line = defined(lines[index]).trim()
    if (line === '' || line.startsWith('#')) continue
    const match = /^(?:export\s+)?([^\s=]+)\s*=\s*(.*)$/.exec(line)
    if (match === null) {
      faults.push({ line: index + 1, message: 'is not NAME=value' })
      continue
    }
    const [, name = '', rest = ''] = match
    const quote = rest[0]
    if (quote !== '"' && quote !== "'") {
      entries.push([name, rest.replace(/(?<!\s)\s+#.*$/, '')])
      continue
    }
    const first = index
    let written = rest
    let isEnded = isClosed(written, quote)
    while (!isEnded && index + 1 < lines.length) {
      const next = defined(lines[++index])
      written += `\n${next}`
      isEnded = next.includes(quote) && isClosed(written, quote)
    }
    if (isEnded) entries.push([name, unquoted(written, quote)])
    else faults.push({ line: first + 1, message: `has a quote ${quote} that is never closed` })
  }
  return { entries, faults }
}

function isClosed(written: string, quote: string): boolean {
  return closing(quote).test(written)
}

function unquoted(written: string, quote: string): string {
  const inside = closing(quote).exec(written)?.[1] ?? ''
  if (quote === "'") return inside
  return inside.replace(/\\(.)/gs, (whole, letter: string) => escapes.get(letter) ?? whole)
}

function closing(quote: string): RegExp {
  return quote === "'" ? /^'([^']*)'\s*(?:#.*)?$/ : /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/s
}

const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['"', '"'],
  ['\\', '\\'],
  ['$', '$'],
])
