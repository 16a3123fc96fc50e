/** The grammar of `.env` files: quotes, comments, `export`, escapes, values over several lines, variables in values. */
import { fileFailure } from '../compose-error.ts'
import type { Release } from '../canonical/release.ts'
import { substitute, SubstitutionError, type Lookup } from './substitute.ts'
import { defined } from '#model/defined.ts'

type EnvText = { readonly file: string; readonly text: string }
type EnvReading = {
  readonly release: Release
  /** where values come from before those of this file, both for `$NAME` and for a name without a value */
  readonly lookup: Lookup
  readonly warn: (message: string) => void
}

/** Adds the file's variables to `variables`, which values of the file may use too. */
export function readDotenv(
  from: EnvText,
  variables: Map<string, string>,
  reading: EnvReading,
): void {
  const reader: Reader = { file: from.file, text: from.text.replace(/^\uFEFF/, ''), at: 0 }
  for (;;) {
    skipBlank(reader)
    if (reader.at >= reader.text.length) return
    const { name, isInherited } = readName(reader)
    if (name.includes(' ')) throw failed(reader, 'the name of a variable contains a space')
    if (isInherited) {
      const value = reading.lookup(name)
      if (value !== undefined) variables.set(name, value)
      continue
    }
    variables.set(name, readValue(reader, variables, reading))
  }
}

/** The format `raw`: one `NAME=value` a line, taken as it stands. */
export function readRawEnv(
  from: EnvText,
  variables: Map<string, string>,
  reading: EnvReading,
): void {
  const lines = from.text.replace(/^\uFEFF/, '').split('\n')
  for (const [index, raw] of lines.entries()) {
    const line = raw.replace(/\r$/, '').replace(leadingSpace, '')
    if (line === '' || line.startsWith('#')) continue
    const equals = line.indexOf('=')
    const name = equals === -1 ? line : line.slice(0, equals)
    if (name === '' || /[ \t]/.test(name)) {
      const why =
        name === '' ? 'there is no name before "="' : 'the name of a variable contains a space'
      throw fileFailure(from.file, why, undefined, index + 1)
    }
    const value = equals === -1 ? reading.lookup(name) : line.slice(equals + 1)
    if (value !== undefined) variables.set(name, value)
  }
}

type Reader = { readonly file: string; readonly text: string; at: number }

/** Unicode's white space, without the zero-width ones that JavaScript adds. */
const space = /[\t\n\v\f\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/
const leadingSpace = /^[\t\n\v\f\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/
const anySpace = /[\t\n\v\f\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]*/y
const spaceInLine = /[\t\v\f\r \u0085\u00A0]*/y
const nameCharacters = /[\p{L}\p{N}_.\-[\]\t\v\f\r \u0085\u00A0]*/uy

/** From the end, since a pattern would try every space of a long line as the first of the last ones. */
function trimmedEnd(text: string): string {
  let end = text.length
  while (end > 0 && space.test(defined(text[end - 1]))) end--
  return text.slice(0, end)
}

function skip(reader: Reader, pattern: RegExp): void {
  pattern.lastIndex = reader.at
  pattern.exec(reader.text)
  reader.at = pattern.lastIndex
}

function skipBlank(reader: Reader): void {
  for (;;) {
    skip(reader, anySpace)
    if (reader.text[reader.at] !== '#') return
    const end = reader.text.indexOf('\n', reader.at)
    reader.at = end === -1 ? reader.text.length : end
  }
}

/** A name ends at `=`, `:` or the line's end; without a value it takes that of the surroundings. */
function readName(reader: Reader): { name: string; isInherited: boolean } {
  const { text } = reader
  if (/^export[\t\n\f\r ]/.test(text.slice(reader.at, reader.at + 7))) {
    reader.at += 'export'.length
    skip(reader, spaceInLine)
    if (reader.at >= text.length) throw failed(reader, 'nothing follows "export"')
  }
  const start = reader.at
  skip(reader, nameCharacters)
  const end = text[reader.at]
  if (end !== undefined && end !== '=' && end !== ':' && end !== '\n') {
    throw failed(reader, `"${end}" does not belong in the name of a variable`)
  }
  // A name that the end of the file cuts short has neither a separator nor a line break: it is lost with its value.
  if (end === undefined) return lastName(reader, start)
  const name = trimmedEnd(text.slice(start, reader.at))
  reader.at++
  skip(reader, spaceInLine)
  return { name, isInherited: end === '\n' }
}

/** Without a line break at its end the reference reads the last line as the value of a variable without a name. */
function lastName(reader: Reader, start: number): { name: string; isInherited: boolean } {
  reader.at = start
  skip(reader, spaceInLine)
  return { name: '', isInherited: false }
}

function readValue(
  reader: Reader,
  variables: ReadonlyMap<string, string>,
  reading: EnvReading,
): string {
  const quote = reader.text[reader.at]
  if (quote === '"' || quote === "'") {
    const value = readQuoted(reader, quote)
    return quote === '"' ? expanded(reader, unescaped(value), variables, reading) : value
  }
  const end = reader.text.indexOf('\n', reader.at)
  const line = reader.text.slice(reader.at, end === -1 ? undefined : end)
  const comment = line.indexOf(' #')
  const value = trimmedEnd(comment === -1 ? line : line.slice(0, comment))
  const result = expanded(reader, value, variables, reading)
  reader.at = end === -1 ? reader.text.length : end + 1
  return result
}

function readQuoted(reader: Reader, quote: string): string {
  const { text } = reader
  let value = ''
  for (let i = reader.at + 1; i < text.length; i++) {
    const character = defined(text[i])
    if (character === '\\' && i + 1 < text.length) {
      i++
      value += text[i] === quote ? quote : `\\${text[i]}`
      continue
    }
    if (character === quote) {
      reader.at = i + 1
      return value
    }
    value += character
  }
  throw failed(reader, 'the quoted value is not closed')
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  $: '$$',
  '"': '"',
  '\\': '\\',
}

/** Only the escapes of a shell; an octal one has three digits after `\0`. */
function unescaped(value: string): string {
  return value.replaceAll(
    /\\(?:([abcfnrtv$"\\])|0(\d{0,3}))/g,
    (whole, letter?: string, octal?: string) => {
      if (letter !== undefined) return escapes[letter] ?? whole
      if (octal === undefined || !/^[0-7]{3}$/.test(octal))
        return octal === undefined ? whole : `\\${octal}`
      const code = Number.parseInt(octal, 8)
      return code > 255 ? `\\${octal}` : String.fromCharCode(code)
    },
  )
}

function expanded(
  reader: Reader,
  value: string,
  variables: ReadonlyMap<string, string>,
  { release, lookup, warn }: EnvReading,
): string {
  try {
    return substitute(value, {
      release,
      lookup: (name) => lookup(name) ?? variables.get(name),
      warn,
    })
  } catch (error) {
    if (error instanceof SubstitutionError) throw failed(reader, error.inShort, error.suggestion)
    throw error
  }
}

/** What such files hold is secret: messages name the line and quote nothing of it. */
function failed(reader: Reader, message: string, suggestion?: string) {
  const line = reader.text.slice(0, reader.at).split('\n').length
  return fileFailure(reader.file, message, suggestion, line)
}
