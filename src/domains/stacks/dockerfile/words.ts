/** Words of a Dockerfile, as engines make them out of quotes, escapes and variables, and the one form in which they are printed. */
import { NotUnderstood } from './refused.ts'
import type { Escape } from './lines.ts'

/** Parts follow each other without a space. */
export type Word = readonly Part[]

export type Part = string | Variable

export type Variable = {
  readonly name: string
  /** `:-`: where it is empty, the other; `:+`: where it is not. */
  readonly sign?: ':-' | ':+'
  readonly other?: Word
}

type Reader = { readonly text: string; at: number; readonly escape: Escape; readonly line: number }

/** All of the text is one word: unquoted spaces stay, too. */
export function wordOf(text: string, escape: Escape, line: number): Word {
  const reader: Reader = { text, at: 0, escape, line }
  return partsUntil(reader, undefined, 0)
}

/** Words with spaces between them that are neither quoted nor escaped, still as they are written. */
export function splitQuoted(text: string, escape: Escape): readonly string[] {
  const words: string[] = []
  let word = ''
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    if (quote === '' && (letter === ' ' || letter === '\t')) {
      if (word !== '') words.push(word)
      word = ''
      continue
    }
    word += letter
    if (letter === escape && quote !== "'") {
      at += 1
      word += text[at] ?? ''
    } else if (quote !== '') quote = letter === quote ? '' : quote
    else if (letter === '"' || letter === "'") quote = letter
  }
  return word === '' ? words : [...words, word]
}

function partsUntil(reader: Reader, end: string | undefined, depth: number): Word {
  const parts: Part[] = []
  while (reader.at < reader.text.length) {
    const letter = reader.text[reader.at] ?? ''
    if (letter === end) {
      reader.at += 1
      return merged(parts)
    }
    if (letter === "'") parts.push(singleQuoted(reader))
    else if (letter === '"') parts.push(...doubleQuoted(reader, depth))
    else if (letter === '$') parts.push(variableAt(reader, depth))
    else parts.push(letter === reader.escape ? escaped(reader) : letterAt(reader))
  }
  if (end !== undefined) throw unclosed(reader)
  return merged(parts)
}

/** A pair of surrogates is one letter. */
function letterAt(reader: Reader): string {
  const letter = String.fromCodePoint(reader.text.codePointAt(reader.at) ?? 0)
  reader.at += letter.length
  return letter
}

function escaped(reader: Reader): string {
  reader.at += 1
  if (reader.at >= reader.text.length) throw unclosed(reader)
  return letterAt(reader)
}

function singleQuoted(reader: Reader): string {
  const end = reader.text.indexOf("'", reader.at + 1)
  if (end < 0) throw unclosed(reader)
  const inside = reader.text.slice(reader.at + 1, end)
  reader.at = end + 1
  return inside
}

function doubleQuoted(reader: Reader, depth: number): Word {
  const parts: Part[] = ['']
  reader.at += 1
  while (reader.at < reader.text.length) {
    const letter = reader.text[reader.at] ?? ''
    const next = reader.text[reader.at + 1] ?? ''
    if (letter === '"') {
      reader.at += 1
      return parts
    }
    if (letter === '$') parts.push(variableAt(reader, depth))
    else if (letter === reader.escape && ['"', '$', reader.escape].includes(next)) {
      parts.push(escaped(reader))
    } else parts.push(letterAt(reader))
  }
  throw unclosed(reader)
}

const plainName = /[A-Za-z_][A-Za-z0-9_]*/y

function variableAt(reader: Reader, depth: number): Variable {
  const isBraced = reader.text[reader.at + 1] === '{'
  plainName.lastIndex = reader.at + (isBraced ? 2 : 1)
  const [name] = plainName.exec(reader.text) ?? []
  if (name === undefined || depth > 4) throw oddVariable(reader)
  const end = plainName.lastIndex
  const following = reader.text.slice(end, end + 2)
  if (!isBraced) {
    // engines take letters of all languages for the rest of a name
    if ((following.codePointAt(0) ?? 0) > 127) throw oddVariable(reader)
    reader.at = end
    return { name }
  }
  if (following.startsWith('}')) {
    reader.at = end + 1
    return { name }
  }
  if (following !== ':-' && following !== ':+') throw oddVariable(reader)
  const odd = oddVariable(reader)
  reader.at = end + 2
  const other = partsUntil(reader, '}', depth + 1)
  if (!other.every((part) => typeof part !== 'string' || isPlain(part))) throw odd
  return { name, sign: following, other }
}

function unclosed({ text, line }: Reader): NotUnderstood {
  const what = `${shown(text)}, of which a quote, an escape or a variable has no end,`
  return new NotUnderstood(line, what, 'close it, or write \\ before a quote that is meant as such')
}

function oddVariable({ text, at, line }: Reader): NotUnderstood {
  const what = `the variable ${shown(text.slice(at))}, which engines read differently,`
  return new NotUnderstood(
    line,
    what,
    'write ${NAME} or ${NAME:-plain}, or \\$ where no variable is meant',
  )
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

/** Texts that follow each other are one. */
export function merged(parts: readonly Part[]): Word {
  const all: Part[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (typeof part === 'string' && typeof last === 'string') all[all.length - 1] = last + part
    else all.push(part)
  }
  return all.filter((part) => part !== '')
}

/** Letters that mean nothing but themselves in every form of every engine. */
function isPlain(text: string): boolean {
  return /^[A-Za-z0-9_./:@%+=,~-]*$/.test(text)
}

/** Whether it can be printed without quotes, also where spaces part words. */
export function isBare(word: Word): boolean {
  const first = word[0] ?? ''
  if (first === '' || (typeof first === 'string' && first.startsWith('-'))) return false
  return word.every((part) => typeof part !== 'string' || isPlain(part.replaceAll(/[*?]/g, '')))
}

export function bare(word: Word): string {
  return word.map((part) => (typeof part === 'string' ? part : printedVariable(part))).join('')
}

export function quoted(word: Word): string {
  const inside = word.map((part) =>
    typeof part === 'string'
      ? part.replaceAll(/["$\\]/g, (letter) => `\\${letter}`)
      : printedVariable(part),
  )
  return `"${inside.join('')}"`
}

function printedVariable({ name, sign, other = [] }: Variable): string {
  return `\${${name}${sign ?? ''}${bare(other)}}`
}

/** What it says where no variable is in it. */
export function literalOf(word: Word): string | undefined {
  if (word.length === 0) return ''
  const [only, ...more] = word
  return typeof only === 'string' && more.length === 0 ? only : undefined
}
