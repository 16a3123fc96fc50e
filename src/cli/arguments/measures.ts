/** Times and numbers on a command line. */
import type { FlagName } from './flags.ts'
import { usageProblem } from './usage.ts'
import { defined } from '#model/defined.ts'

const unitLengths: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

export function durationOf(name: FlagName, text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)]
  if (parts.length > 0 && parts.map(([part]) => part).join('') === text) {
    return parts.reduce(
      (sum, [, size, unit]) => sum + Number(size) * defined(unitLengths[defined(unit)]),
      0,
    )
  }
  const plain = /^\d+$/.test(text) ? `write ${text}s for seconds` : 'write it like 30s, 5m or 1h30m'
  throw usageProblem(`--${name}: ${JSON.stringify(text)} is not a time`, plain)
}

export function wholeNumber(name: FlagName, text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number > 0 && number < 1e9) return number
  const why = /^-?\d+$/.test(text) ? 'is out of range' : 'is not a number'
  throw usageProblem(`--${name}: ${JSON.stringify(text)} ${why}`, 'give a whole number from 1 on')
}
