/** Splits a Dockerfile into its instructions: continued lines joined, comments, empty lines and directives gone, here-documents apart. */
import { NotUnderstood } from './refused.ts'

export type Line = {
  /** Without spaces at either end. */
  readonly text: string
  /** Where it begins, from 1. */
  readonly line: number
  readonly documents: readonly HereDocument[]
}

export type HereDocument = {
  readonly name: string
  /** `<<"NAME"`: variables in it are not filled in. */
  readonly isQuoted: boolean
  /** `<<-`: tabs at the beginning of its lines do not count. */
  readonly isIndented: boolean
  /** Each ends with a line break. */
  readonly content: string
}

export type Escape = '\\' | '`'

type Lines = { readonly escape: Escape; readonly lines: readonly Line[] }

/** Letters of one instruction: some engines read no longer line, and each is printed as one. */
const longest = 65_000
const mostInstructions = 5_000

export function linesIn(text: string): Lines {
  const raw = text.replace(/^\uFEFF/, '').split('\n')
  const rows = raw.map((row) => (row.endsWith('\r') ? row.slice(0, -1) : row))
  const { escape, first } = directivesIn(rows)
  const lines: Line[] = []
  for (let at = first; at < rows.length;) {
    if (isPassedOver(rows[at] ?? '')) {
      at += 1
      continue
    }
    const { text: joined, next } = joinedAt(rows, at, escape)
    const { documents, next: after } = documentsAt(joined, rows, raw, next, at + 1)
    lines.push({ text: joined, line: at + 1, documents })
    if (lines.length > mostInstructions) {
      throw new NotUnderstood(at + 1, 'a Dockerfile that is too long', 'make it smaller')
    }
    at = after
  }
  return { escape, lines }
}

/** Spaces other than blank and tab, controls and what is no UTF-8: engines differ in what they take for a space. */
const odd = /(?![\t ])[\p{Z}\p{Cc}\uFEFF\uFFFD\p{Cs}]/u

function assertPlain(row: string, line: number): void {
  const [found] = odd.exec(row) ?? []
  if (found === undefined) return
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const what = `a Dockerfile with the character U+${code}, which engines read differently,`
  throw new NotUnderstood(line, what, 'write a plain space, or leave it out')
}

const directive = /^[\t ]*#[\t ]*(syntax|escape|check)[\t ]*=[\t ]*(.*?)[\t ]*$/i

/** They stand above everything else. */
function directivesIn(rows: readonly string[]): { escape: Escape; first: number } {
  let escape: Escape = '\\'
  const seen = new Set<string>()
  for (const [index, row] of rows.entries()) {
    const [, name = '', value = ''] = directive.exec(row) ?? []
    if (name === '') return { escape, first: index }
    const key = name.toLowerCase()
    if (seen.has(key)) throw new NotUnderstood(index + 1, `${key}= said twice`, 'say it once')
    seen.add(key)
    if (key !== 'escape') continue
    if (value !== '`' && value !== '\\') {
      throw new NotUnderstood(index + 1, `escape=${value}`, 'use \\ or `')
    }
    escape = value
  }
  return { escape, first: rows.length }
}

function isPassedOver(row: string): boolean {
  return /^[\t ]*(#|$)/.test(row)
}

function joinedAt(
  rows: readonly string[],
  from: number,
  escape: Escape,
): { text: string; next: number } {
  const parts: string[] = []
  let letters = 0
  let at = from
  for (; at < rows.length; at += 1) {
    const row = rows[at] ?? ''
    if (at > from && isPassedOver(row)) continue
    assertPlain(row, at + 1)
    const end = withoutEnd(row)
    const goesOn = end.endsWith(escape)
    if (goesOn && (end.length === 1 || end.at(-2) === escape)) {
      const what = `a line that ends in ${end.slice(-2)}, which engines read differently,`
      throw new NotUnderstood(at + 1, what, `end it with one ${escape} behind a word, or none`)
    }
    parts.push(goesOn ? end.slice(0, -1) : row)
    letters += row.length
    if (letters > longest) {
      throw new NotUnderstood(from + 1, 'an instruction that is too long', 'make it shorter')
    }
    if (!goesOn) break
  }
  const text = withoutEnd(parts.join('').replace(/^[\t ]+/, ''))
  if (text.endsWith('\\')) {
    const what = 'an instruction that ends in a \\, which engines read differently,'
    throw new NotUnderstood(from + 1, what, 'leave the \\ at its end out')
  }
  return { text, next: at + 1 }
}

/** Without blanks and tabs at its end. */
function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1
  return text.slice(0, end)
}

const mostDocuments = 16
const mayHave = /^(?:ONBUILD[\t ]+)?(?:RUN|COPY|ADD)[\t ]+(?:--[^\t ]*[\t ]+)*(.*)$/is
const begins = /^\d*<<-?[^<]/
export const plainBegin = /^<<(-?)(?:(\w+)|"(\w+)"|'(\w+)')$/

/** Here-documents begin with a word of their own, which is not quoted itself. */
function documentsAt(
  text: string,
  rows: readonly string[],
  raw: readonly string[],
  from: number,
  line: number,
): { documents: readonly HereDocument[]; next: number } {
  const documents: HereDocument[] = []
  let next = from
  const [, rest] = mayHave.exec(text) ?? []
  if (rest === undefined || listAt(rest) !== undefined) return { documents, next }
  let before = ''
  for (const word of text.split(/[\t ]+/)) {
    if (begins.test(word)) {
      const found = plainBegin.exec(word)
      const isOdd = found === null || documents.length === mostDocuments
      if (isOdd || hasOpenQuote(before)) throw oddDocument(word, line)
      const [, indented, ...names] = found
      const name = names.find((one) => one !== undefined) ?? ''
      const isIndented = indented === '-'
      const isQuoted = names[0] === undefined
      const content: string[] = []
      for (; ; next += 1) {
        const row = rows[next]
        if (row === undefined) throw oddDocument(word, line)
        assertPlain(row, next + 1)
        if ((isIndented ? row.replace(/^\t+/, '') : row) === name) break
        // with the end of line that it has
        content.push(`${raw[next]}\n`)
      }
      next += 1
      documents.push({ name, isQuoted, isIndented, content: content.join('') })
    }
    before += `${word} `
  }
  return { documents, next }
}

/** Whatever an engine may take for a list of texts, at the beginning of a text. */
export function listAt(text: string): string | undefined {
  return /^\[[\t ]*(?:"(?:[^"\\]|\\.)*"[\t ]*(?:,[\t ]*"(?:[^"\\]|\\.)*"[\t ]*)*)?\]/s.exec(
    text,
  )?.[0]
}

function oddDocument(word: string, line: number): NotUnderstood {
  const what = `the here-document ${word}, of which can't be told where it ends,`
  const instead = 'begin it with <<NAME by itself, and end it with NAME in a line by itself'
  return new NotUnderstood(line, what, instead)
}

function hasOpenQuote(text: string): boolean {
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    if (letter === '\\' && quote !== "'") at += 1
    else if (quote !== '') quote = letter === quote ? '' : quote
    else if (letter === '"' || letter === "'") quote = letter
  }
  return quote !== ''
}
