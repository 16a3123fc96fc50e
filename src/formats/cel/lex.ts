/** The words of an expression. */
import { CelError, type Position } from './error.ts'
import { readQuoted } from './quoted.ts'
import { defined } from '#model/defined.ts'

export type Token =
  | { readonly kind: 'name' | 'quoted' | 'sign'; readonly text: string; readonly at: number }
  | { readonly kind: 'end'; readonly text: ''; readonly at: number }
  | { readonly kind: 'value'; readonly text: string; readonly at: number; readonly value: Literal }

/** Whole numbers as written, so that a sign before them counts when they are held against the limits. */
export type Literal =
  | { readonly type: 'int' | 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array }

const blank = /(?:\s|\/\/[^\n]*)+/y
const quoted = /([bB]?[rR]?)("""|'''|"|')/y
const double = /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y
const whole = /(0x[0-9a-fA-F]+|\d+)([uU]?)/y
const name = /[A-Za-z_][A-Za-z0-9_]*/y
/** The name of a field that is no word, as in headers.`content-type`. */
const quotedName = /`([A-Za-z0-9_.\-/ ]+)`/y
const sign = /&&|\|\||[=!<>]=|[-+*/%!<>?:.,()[\]{}]/y

export function positionOf(text: string, at: number): Position {
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: Array.from(defined(before.at(-1))).length + 1 }
}

export function lex(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found !== null) at += found[0].length
    return found
  }
  for (;;) {
    take(blank)
    if (at >= text.length) break
    const start = at
    const found = literal(text, take, (length) => (at = length))
    if (found !== undefined) {
      tokens.push({ kind: 'value', text: text.slice(start, at), at: start, value: found })
      continue
    }
    const field = take(quotedName)?.[1]
    if (field !== undefined) {
      tokens.push({ kind: 'quoted', text: field, at: start })
      continue
    }
    const word = take(name)?.[0]
    const mark = word === undefined ? take(sign)?.[0] : undefined
    if (word !== undefined) tokens.push({ kind: 'name', text: word, at: start })
    else if (mark !== undefined) tokens.push({ kind: 'sign', text: mark, at: start })
    else {
      const letter = String.fromCodePoint(defined(text.codePointAt(at)))
      throw new CelError(`${JSON.stringify(letter)} means nothing here`, positionOf(text, at))
    }
  }
  return [...tokens, { kind: 'end', text: '', at: text.length }]
}

function literal(
  text: string,
  take: (pattern: RegExp) => RegExpExecArray | null,
  moveTo: (at: number) => void,
): Literal | undefined {
  const start = take(quoted)
  if (start !== null) {
    const from = start.index + start[0].length
    const { value, end } = readQuoted(
      text,
      from,
      defined(start[1]),
      defined(start[2]),
      (reason, at) => {
        throw new CelError(reason, positionOf(text, at))
      },
    )
    moveTo(end)
    return value
  }
  const real = take(double)
  if (real !== null) return { type: 'double', value: Number(real[0]) }
  const found = take(whole)
  if (found === null) return undefined
  return { type: found[2] === '' ? 'int' : 'uint', value: BigInt(defined(found[1])) }
}
