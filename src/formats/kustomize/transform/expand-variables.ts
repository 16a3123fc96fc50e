/** `${name}` in a text, with the functions that shells have for it: defaults, cases, parts, replacements. */
import { KustomizeError, fail } from '../error.ts'
import { type Pattern, goRegExp } from './go-regexp.ts'
import { defined } from '#model/defined.ts'

/** Undefined: there is no such variable. */
export type Lookup = (name: string) => string | undefined

/** Only braces count, and `$$` stands for a dollar sign. `missing` hears of what has no value and no default: it is a mistake unless that gives one. */
export function expandVariables(
  text: string,
  lookup: Lookup,
  missing: Lookup = () => undefined,
): string {
  const scan: Scan = { text, at: 0, lookup, missing }
  let out = ''
  while (scan.at < text.length) {
    const next = text.indexOf('$', scan.at)
    if (next < 0) break
    out += text.slice(scan.at, next)
    scan.at = next
    if (text.startsWith('${', next)) out += expression(scan)
    else {
      out += '$'
      scan.at += text[next + 1] === '$' ? 2 : 1
    }
  }
  return out + text.slice(scan.at)
}

type Scan = {
  readonly text: string
  readonly lookup: Lookup
  readonly missing: Lookup
  at: number
}

function take(scan: Scan, pattern: RegExp): string | undefined {
  pattern.lastIndex = scan.at
  const found = pattern.exec(scan.text)?.[0]
  if (found !== undefined) scan.at += found.length
  return found
}

const nameAt = /[\p{L}\p{Nd}_]+/uy
const operators = /:[=?+-]|=|[,^]{1,2}|\/[/#%]?|#{1,2}|%{1,2}|:/y

function expression(scan: Scan): string {
  const start = scan.at
  scan.at += 2
  if (take(scan, /#/y) !== undefined) {
    const name = take(scan, nameAt) ?? refuse(scan, start)
    close(scan, start)
    return String(Buffer.byteLength(valueOf(scan, name, start)))
  }
  const name = take(scan, nameAt) ?? refuse(scan, start)
  const operator = take(scan, operators)
  if (operator === undefined) {
    close(scan, start)
    return valueOf(scan, name, start)
  }
  const args = argumentsOf(scan, operator, start)
  if (isDefault(operator)) return scan.lookup(name) || args.join('')
  return applied(valueOf(scan, name, start), operator, args)
}

function isDefault(operator: string): boolean {
  return operator === '=' || /^:[=?+-]$/.test(operator)
}

function valueOf(scan: Scan, name: string, start: number): string {
  return (
    scan.lookup(name) ??
    scan.missing(name) ??
    fail(`the variable ${name} has no value, in line ${lineOf(scan, start)}`)
  )
}

function argumentsOf(scan: Scan, operator: string, start: number): string[] {
  const args: string[] = []
  if (isDefault(operator)) {
    while (scan.text[scan.at] !== '}') args.push(argument(scan, /[^}$]|\$(?!\{)/y, start))
  } else if (operator.startsWith('/')) {
    args.push(unescaped(argument(scan, /\\[\\/]|[^/$]|\$(?!\{)/y, start)))
    if (take(scan, /\/+/y) === undefined) refuse(scan, start)
    if (scan.text[scan.at] !== '}') {
      args.push(unescaped(argument(scan, /\\[\\/]|[^}$]|\$(?!\{)/y, start)))
    }
  } else if (operator === ':') {
    args.push(argument(scan, /[^:}$]|\$(?!\{)/y, start))
    if (take(scan, /:+/y) !== undefined) args.push(argument(scan, /[^}$]|\$(?!\{)/y, start))
  } else if (!/^[,^]/.test(operator)) {
    args.push(argument(scan, /[^}$]|\$(?!\{)/y, start))
  }
  close(scan, start)
  return args
}

/** Another expression, or letters up to one. */
function argument(scan: Scan, letter: RegExp, start: number): string {
  if (scan.text.startsWith('${', scan.at)) return expression(scan)
  let text = ''
  for (let next = take(scan, letter); next !== undefined; next = take(scan, letter)) text += next
  return text === '' ? refuse(scan, start) : text
}

function unescaped(text: string): string {
  return text.replace(
    /\\([\\/])|\$\$/g,
    (found, letter: string | undefined) => letter ?? defined(found[0]),
  )
}

function close(scan: Scan, start: number): void {
  if (take(scan, /\}/y) === undefined) refuse(scan, start)
}

function lineOf(scan: Scan, at: number): number {
  return scan.text.slice(0, at).split('\n').length
}

function refuse(scan: Scan, start: number): never {
  const shown = scan.text.slice(start, start + 40).split('\n')[0]
  return fail(
    `${shown} can't be read as a variable, in line ${lineOf(scan, start)}; $\${ writes the signs themselves`,
  )
}

function applied(value: string, operator: string, args: readonly string[]): string {
  const [first = '', second = ''] = args
  switch (operator) {
    case ',':
      return value.replace(/^./su, (letter) => letter.toLowerCase())
    case ',,':
      return value.toLowerCase()
    case '^':
      return value.replace(/^./su, (letter) => letter.toUpperCase())
    case '^^':
      return value.toUpperCase()
    case ':':
      return part(value, args)
    case '/':
      return value.replace(first, () => second)
    case '//':
      return value.replaceAll(first, () => second)
    case '/#':
      return args.length === 2 && value.startsWith(first)
        ? second + value.slice(first.length)
        : value
    case '/%':
      return args.length === 2 && value.endsWith(first)
        ? value.slice(0, value.length - first.length) + second
        : value
    case '#':
    case '##':
      return trimmed(value, first, operator === '##')
    case '%':
    case '%%':
      return reversed(trimmed(reversed(value), reversed(first), operator === '%%'))
    default:
      return value
  }
}

/** Positions count bytes; negative ones and negative lengths from the end. */
function part(value: string, args: readonly string[]): string {
  const bytes = Buffer.from(value)
  if (args.some((arg) => !/^[-+]?\d+$/.test(arg))) return value
  const [from = 0, length = bytes.length] = args.map(Number)
  const start = from < 0 ? Math.max(bytes.length + from, 0) : from
  const end = length < 0 ? bytes.length + length : start + length
  return bytes.subarray(start, Math.max(end, start)).toString()
}

/** Without the shortest or longest start that fits the pattern. */
function trimmed(value: string, pattern: string, isLongest: boolean): string {
  const expression = globPattern(pattern)
  if (expression === undefined) return value
  for (let i = 1; i <= value.length; i++) {
    const length = isLongest ? value.length + 1 - i : i
    if (expression.test(value.slice(0, length))) return value.slice(length)
  }
  return value
}

/** Undefined: the pattern can't be read, and then nothing fits it. */
function globPattern(pattern: string): Pattern | undefined {
  const body = pattern.replace(/\\(.)|[\\^$.|+(){}*?]/gs, (sign, quoted: string | undefined) => {
    if (quoted !== undefined) return quoted.replace(/[^\w]/, '\\$&')
    return sign === '*' ? '.*' : sign === '?' ? '.' : `\\${sign}`
  })
  try {
    return goRegExp(`(?s)^(?:${body.replaceAll('[\\^', '[^')})$`)
  } catch (error) {
    if (error instanceof KustomizeError) return undefined
    throw error
  }
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join('')
}
