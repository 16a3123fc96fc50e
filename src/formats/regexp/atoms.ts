/** The smallest parts of Go's regular expressions: letters, classes, and edges between letters. */
import { fail } from './error.ts'
import type { Tree } from './go-regexp.ts'

export type Flags = { readonly i: boolean; readonly m: boolean; readonly s: boolean }
export type Scan = { readonly pattern: readonly string[]; readonly text: string; at: number }
type Fits = (code: number) => boolean

export function refuse(scan: Scan): never {
  return fail(`${JSON.stringify(scan.text)} is no regular expression`)
}

export function readAtom(scan: Scan, flags: Flags): Tree | undefined {
  const letter = scan.pattern[scan.at]!
  if (letter === '\\') return escape(scan, flags)
  if (letter === '[') return { kind: 'letter', fits: folded(bracket(scan), flags) }
  if (letter === '*' || letter === '+' || letter === '?') refuse(scan)
  scan.at++
  if (letter === '.') return { kind: 'letter', fits: (code) => flags.s || code !== 10 }
  if (letter === '^') return edge((before) => before < 0 || (flags.m && before === 10))
  if (letter === '$') return edge((_, after) => after < 0 || (flags.m && after === 10))
  return { kind: 'letter', fits: folded(exactly(letter.codePointAt(0)!), flags) }
}

function edge(fits: (before: number, after: number) => boolean): Tree {
  return { kind: 'edge', fits }
}

function exactly(wanted: number): Fits {
  return (code) => code === wanted
}

/** Large and small letters alike, where the flag says so. */
function folded(fits: Fits, flags: Flags): Fits {
  if (!flags.i) return fits
  return (code) => {
    const letter = String.fromCodePoint(code)
    const others = [letter.toLowerCase(), letter.toUpperCase()]
    return (
      fits(code) || others.some((one) => one.length === letter.length && fits(one.codePointAt(0)!))
    )
  }
}

function isWord(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95
  )
}

const perl = new Map<string, Fits>([
  ['d', (code) => code >= 48 && code <= 57],
  ['s', (code) => [9, 10, 12, 13, 32].includes(code)],
  ['w', isWord],
])
const signs = new Map([
  ['a', 7],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
])

function escape(scan: Scan, flags: Flags): Tree | undefined {
  const letter = scan.pattern[scan.at + 1]
  if (letter === 'Q') return quoted(scan, flags)
  const start = letter === 'A' || letter === 'z' || letter === 'b' || letter === 'B'
  if (start) {
    scan.at += 2
    if (letter === 'A') return edge((before) => before < 0)
    if (letter === 'z') return edge((_, after) => after < 0)
    const isEdge = letter === 'b'
    return edge((before, after) => (isWord(before) !== isWord(after)) === isEdge)
  }
  const found = readEscape(scan)
  return { kind: 'letter', fits: folded(typeof found === 'number' ? exactly(found) : found, flags) }
}

function quoted(scan: Scan, flags: Flags): Tree {
  const rest = scan.pattern.slice(scan.at + 2).join('')
  const end = rest.indexOf('\\E')
  const inner = Array.from(end < 0 ? rest : rest.slice(0, end))
  scan.at += 2 + inner.length + (end < 0 ? 0 : 2)
  const parts = inner.map((letter): Tree => ({
    kind: 'letter',
    fits: folded(exactly(letter.codePointAt(0)!), flags),
  }))
  return { kind: 'all', parts }
}

/** One letter as its code, or a class. */
function readEscape(scan: Scan): number | Fits {
  const rest = scan.pattern.slice(scan.at, scan.at + 40).join('')
  const code =
    /^\\(?:x([0-9a-fA-F]{2})|x\{([0-9a-fA-F]{1,6})\}|(0[0-7]{0,2}|[1-7][0-7]{1,2}))/.exec(rest)
  if (code !== null) {
    scan.at += code[0].length
    const value =
      code[3] === undefined ? Number.parseInt(code[1] ?? code[2]!, 16) : Number.parseInt(code[3], 8)
    return value > 0x10ffff ? refuse(scan) : value
  }
  const property = /^\\([pP])(?:\{(\^?)(\w+)\}|(\w))/.exec(rest)
  if (property !== null) return unicode(scan, property)
  const letter = scan.pattern[scan.at + 1]
  scan.at += 2
  if (letter === undefined) return refuse(scan)
  const known = perl.get(letter.toLowerCase())
  if (known !== undefined) return letter === letter.toLowerCase() ? known : (one) => !known(one)
  const sign = signs.get(letter)
  if (sign !== undefined) return sign
  return /^[A-Za-z0-9]$/.test(letter) || letter.codePointAt(0)! > 127
    ? refuse(scan)
    : letter.codePointAt(0)!
}

function unicode(scan: Scan, found: RegExpExecArray): Fits {
  scan.at += found[0].length
  const name = found[3] ?? found[4]!
  const isNot = (found[1] === 'P') !== (found[2] === '^')
  try {
    const script = name.length <= 2 ? name : `Script=${name}`
    const expression = new RegExp(`^\\p{${script}}$`, 'u')
    return (code) => expression.test(String.fromCodePoint(code)) !== isNot
  } catch {
    return refuse(scan)
  }
}

const named = new Map<string, RegExp>([
  ['alnum', /^[0-9A-Za-z]$/],
  ['alpha', /^[A-Za-z]$/],
  ['ascii', /^\p{ASCII}$/u],
  ['blank', /^[\t ]$/],
  ['digit', /^[0-9]$/],
  ['graph', /^[!-~]$/],
  ['lower', /^[a-z]$/],
  ['print', /^[ -~]$/],
  ['punct', /^[!-/:-@[-`{-~]$/],
  ['space', /^[\t\n\v\f\r ]$/],
  ['upper', /^[A-Z]$/],
  ['word', /^[0-9A-Za-z_]$/],
  ['xdigit', /^[0-9A-Fa-f]$/],
])

function bracket(scan: Scan): Fits {
  scan.at++
  const isNot = scan.pattern[scan.at] === '^'
  if (isNot) scan.at++
  const parts: Fits[] = []
  for (let isFirst = true; isFirst || scan.pattern[scan.at] !== ']'; isFirst = false) {
    if (scan.pattern[scan.at] === undefined) refuse(scan)
    parts.push(classPart(scan))
  }
  scan.at++
  return (code) => parts.some((fits) => fits(code)) !== isNot
}

function classPart(scan: Scan): Fits {
  const posix = /^\[:(\^?)(\w+):\]/.exec(scan.pattern.slice(scan.at, scan.at + 14).join(''))
  if (posix !== null) {
    const known = named.get(posix[2]!) ?? refuse(scan)
    scan.at += posix[0].length
    return (code) => known.test(String.fromCodePoint(code)) !== (posix[1] === '^')
  }
  const from = classLetter(scan)
  if (typeof from !== 'number') return from
  const isRange =
    scan.pattern[scan.at] === '-' && ![']', undefined].includes(scan.pattern[scan.at + 1])
  if (!isRange) return exactly(from)
  scan.at++
  const to = classLetter(scan)
  if (typeof to !== 'number' || to < from) return refuse(scan)
  return (code) => code >= from && code <= to
}

function classLetter(scan: Scan): number | Fits {
  const letter = scan.pattern[scan.at]!
  if (letter === '\\') return readEscape(scan)
  scan.at++
  return letter.codePointAt(0)!
}
