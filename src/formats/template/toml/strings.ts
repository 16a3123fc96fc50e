/** Keys and strings of TOML, with their escapes. */
import { encodeRune } from '../bytes.ts'
import type { Cursor } from './cursor.ts'

/** a."b c".'d': the names of a key. */
export function readKey(source: Cursor): string[] {
  const names: string[] = []
  do {
    source.skipBlanks()
    names.push(readName(source))
    source.skipBlanks()
  } while (source.take('.'))
  return names
}

function readName(source: Cursor): string {
  const char = source.peek()
  if (char === '"' || char === "'") return readShort(source) ?? ''
  const found = source.match(/[A-Za-z0-9_-]+/y)
  if (found !== undefined) return found[0]
  if (char === '=') throw source.fail("unexpected '=': key name appears blank")
  if (char === '.') throw source.fail("unexpected '.': keys cannot start with a '.'")
  throw source.fail(`expected '.' or '=', but got ${source.shown()} instead`)
}

/** undefined when no string starts here. */
export function readString(source: Cursor): string | undefined {
  if (source.take('"""')) return long(source, '"""', true)
  if (source.take("'''")) return long(source, "'''", false)
  return readShort(source)
}

/** Of one line, as keys are. */
function readShort(source: Cursor): string | undefined {
  if (source.take('"')) {
    const body = source.match(/((?:[^"\\\n]|\\.)*)"/y)
    if (body === undefined) throw unclosed(source, '"')
    return unescaped(source, body[1] ?? '')
  }
  if (!source.take("'")) return undefined
  const body = source.match(/([^'\n]*)'/y)
  if (body === undefined) throw unclosed(source, "'")
  return body[1] ?? ''
}

function unclosed(source: Cursor, mark: string): Error {
  if (source.rest().includes('\n')) return source.fail('strings cannot contain newlines')
  return source.fail(`unexpected EOF; expected ${mark === '"' ? "'\"'" : '"\'"'}`)
}

function long(source: Cursor, mark: string, hasEscapes: boolean): string {
  const body = hasEscapes
    ? source.match(/((?:[^\\]|\\[^])*?)"{3,}/y)
    : source.match(/([^]*?)'{3,}/y)
  if (body === undefined)
    throw source.fail(`unexpected EOF; expected ${mark === '"""' ? '\'"""\'' : "\"'''\""}`)
  if (body[0].length - (body[1] ?? '').length > 5) {
    throw source.fail(`unexpected ${hasEscapes ? `'""""""'` : `"''''''"`}`)
  }
  const quotes = (mark[0] ?? '').repeat(body[0].length - (body[1] ?? '').length - 3)
  const text = ((body[1] ?? '') + quotes).replace(/^\r?\n/, '')
  return hasEscapes ? unescaped(source, text.replace(/\\[ \t]*\r?\n[ \t\r\n]*/g, '')) : text
}

const plain: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['t', '\t'],
  ['n', '\n'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  ['"', '"'],
  ['\\', '\\'],
])

function unescaped(source: Cursor, text: string): string {
  return text.replace(
    /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([^]))/g,
    (_, ...groups: unknown[]) => {
      const [two, four, eight, letter] = groups.map((group) =>
        typeof group === 'string' ? group : undefined,
      )
      const digits = two ?? four ?? eight
      if (digits !== undefined) return letterOf(source, digits)
      const meaning = plain.get(letter ?? '')
      if (meaning === undefined)
        throw source.fail(
          `invalid escape character '${letter}'; only the following escape characters are allowed: \\b, \\t, \\n, \\f, \\r, \\", \\\\, \\uXXXX, and \\UXXXXXXXX`,
        )
      return meaning
    },
  )
}

function letterOf(source: Cursor, digits: string): string {
  const rune = Number.parseInt(digits, 16)
  if (rune <= 0x10ffff && (rune < 0xd800 || rune > 0xdfff)) return encodeRune(rune)
  throw source.fail(`Escaped character '\\u${digits}' is not valid UTF-8.`)
}
