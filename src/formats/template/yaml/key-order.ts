/** The order of keys in written YAML: letters after the rest, numbers by their size. */
import { runesOf } from '../bytes.ts'
import { isDigit, isLetter } from '../unicode.ts'
import type { YamlVersion } from './resolve.ts'

export function compareKeys(left: string, right: string, version: YamlVersion): number {
  return isBefore(runesOf(left), runesOf(right), version)
    ? -1
    : isBefore(runesOf(right), runesOf(left), version)
      ? 1
      : 0
}

function isBefore(
  left: readonly number[],
  right: readonly number[],
  version: YamlVersion,
): boolean {
  let afterDigit = false
  for (let at = 0; at < left.length && at < right.length; at++) {
    const [a = 0, b = 0] = [left[at], right[at]]
    if (a === b) {
      afterDigit = isDigit(a)
      continue
    }
    const [isLeftLetter, isRightLetter] = [isLetter(a), isLetter(b)]
    if (isLeftLetter && isRightLetter) return a < b
    if (isLeftLetter || isRightLetter)
      return version >= 3 && afterDigit ? isLeftLetter : isRightLetter
    return isBeforeByNumber(left, right, at)
  }
  return left.length < right.length
}

function isBeforeByNumber(left: readonly number[], right: readonly number[], at: number): boolean {
  const start = (left[at] === 48 || right[at] === 48) && isInsideNumber(left, at) ? 1n : 0n
  const [leftNumber, leftEnd] = numberAt(left, at, start)
  const [rightNumber, rightEnd] = numberAt(right, at, start)
  if (leftNumber !== rightNumber) return leftNumber < rightNumber
  if (leftEnd !== rightEnd) return leftEnd < rightEnd
  return (left[at] ?? 0) < (right[at] ?? 0)
}

/** Whether digits other than zero stand right before. */
function isInsideNumber(runes: readonly number[], at: number): boolean {
  for (let before = at - 1; before >= 0 && isDigit(runes[before] ?? 0); before--) {
    if (runes[before] !== 48) return true
  }
  return false
}

function numberAt(runes: readonly number[], at: number, start: bigint): [bigint, number] {
  let number = start
  let end = at
  for (; end < runes.length && isDigit(runes[end] ?? 0); end++) {
    number = BigInt.asIntN(64, number * 10n + BigInt((runes[end] ?? 48) - 48))
  }
  return [number, end]
}
