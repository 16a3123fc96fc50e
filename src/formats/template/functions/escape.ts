/** Escapes of the builtins html, js and urlquery. */
import { decodeRune } from '../bytes.ts'
import { isPrint } from '../unicode.ts'

const html: ReadonlyMap<string, string> = new Map([
  ['\0', '\xef\xbf\xbd'],
  ['"', '&#34;'],
  ["'", '&#39;'],
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
])

export function escapeHtml(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\0"'&<>]/g, (char) => html.get(char) ?? char)
}

export function escapeJs(text: string): string {
  let out = ''
  for (let at = 0; at < text.length;) {
    const { rune, size } = decodeRune(text, at)
    const bytes = text.slice(at, at + size)
    at += size
    if (size > 1 || rune === 0xfffd) out += isPrint(rune) ? bytes : `\\u${hex(rune)}`
    else if (bytes === '\\' || bytes === "'" || bytes === '"') out += `\\${bytes}`
    else if (rune < 32 || '<>&='.includes(bytes)) out += `\\u${hex(rune)}`
    else out += bytes
  }
  return out
}

function hex(rune: number): string {
  return rune.toString(16).toUpperCase().padStart(4, '0')
}

export function escapeQuery(text: string): string {
  return text.replace(/[^A-Za-z0-9\-_.~]/g, (char) => {
    return char === ' ' ? '+' : `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  })
}
