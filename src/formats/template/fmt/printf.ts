/** printf: reads the format, hands each verb its argument. */
import type { Budget } from '../budget.ts'
import { decodeRune } from '../bytes.ts'
import { integerOf, typeOf, type Value } from '../values.ts'
import { noFlags, type Flags } from './flags.ts'
import { formatArgument, plain } from './print.ts'

const tooLarge = 1_000_000

export function sprintf(format: string, args: readonly Value[], budget: Budget): string {
  let out = ''
  let at = 0
  let next = 0
  let isReordered = false
  let isGoodIndex = true

  /** `[3]`: the next argument by number. */
  function argumentIndex(): boolean {
    if (format[at] !== '[') return false
    isReordered = true
    const close = format.indexOf(']', at)
    const digits = close < 0 ? '' : format.slice(at + 1, close)
    at = close < 0 || format.length - at < 3 ? at + 1 : close + 1
    const number = /^[0-9]+$/.test(digits) ? Number(digits) : 0
    if (number < 1 || number > args.length || number > tooLarge) {
      isGoodIndex = false
      return number >= 1
    }
    next = number - 1
    return true
  }
  function digitsHere(): number | undefined {
    const start = at
    while (/[0-9]/.test(format[at] ?? '')) at++
    if (at === start) return undefined
    const number = Number(format.slice(start, at))
    if (number <= tooLarge) return number
    return undefined
  }
  function star(): number | undefined {
    const value = args[next]
    if (next < args.length) next++
    const number = value === undefined ? undefined : integerOf(value)
    if (number === undefined || number > BigInt(tooLarge) || number < -BigInt(tooLarge))
      return undefined
    return Number(number)
  }
  function width(flags: Flags, afterIndex: boolean): boolean {
    if (format[at] !== '*') {
      flags.width = digitsHere()
      if (afterIndex && flags.width !== undefined) isGoodIndex = false
      return afterIndex
    }
    at++
    flags.width = star()
    if (flags.width === undefined) out += '%!(BADWIDTH)'
    else if (flags.width < 0) {
      flags.width = -flags.width
      flags.minus = true
      flags.zero = false
    }
    return false
  }
  function precision(flags: Flags, afterIndex: boolean): boolean {
    if (format[at] !== '.' || at + 1 >= format.length) return afterIndex
    at++
    if (afterIndex) isGoodIndex = false
    const indexed = argumentIndex()
    if (format[at] !== '*') {
      flags.precision = digitsHere() ?? 0
      return indexed
    }
    at++
    flags.precision = star()
    if (flags.precision !== undefined && flags.precision < 0) flags.precision = undefined
    if (flags.precision === undefined) out += '%!(BADPREC)'
    return false
  }
  function verbHere(): string {
    const { size } = decodeRune(format, at)
    const verb = format.slice(at, at + size)
    at += size
    return verb
  }
  function directive(): void {
    isGoodIndex = true
    const flags = flagsHere()
    let afterIndex = argumentIndex()
    afterIndex = width(flags, afterIndex)
    afterIndex = precision(flags, afterIndex)
    if (!afterIndex) argumentIndex()
    if (at >= format.length) {
      out += '%!(NOVERB)'
      return
    }
    const verb = verbHere()
    const value = args[next]
    if (verb === '%') out += '%'
    else if (!isGoodIndex) out += `%!${verb}(BADINDEX)`
    else if (value === undefined) out += `%!${verb}(MISSING)`
    else {
      if (verb === 'v' || verb === 'w') {
        flags.sharpV = flags.sharp
        flags.sharp = false
        flags.plusV = flags.plus
        flags.plus = false
      }
      out += formatArgument(value, verb, flags, budget)
      next++
    }
  }
  function flagsHere(): Flags {
    const flags = noFlags()
    for (; at < format.length; at++) {
      const char = format[at]
      if (char === '#') flags.sharp = true
      else if (char === '0') flags.zero = true
      else if (char === '+') flags.plus = true
      else if (char === '-') flags.minus = true
      else if (char === ' ') flags.space = true
      else break
    }
    return flags
  }

  while (at < format.length) {
    const percent = format.indexOf('%', at)
    out += format.slice(at, percent < 0 ? format.length : percent)
    if (percent < 0) break
    at = percent + 1
    const before = out.length
    directive()
    budget.size(out.length - before)
    budget.fits(out.length)
  }
  if (isReordered || next >= args.length) return out
  const extra = args.slice(next).map((value) => {
    return value === null ? '<nil>' : `${typeOf(value)}=${plain(value, budget)}`
  })
  return `${out}%!(EXTRA ${extra.join(', ')})`
}
