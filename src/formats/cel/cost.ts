/** What one evaluation may cost: parts of the expression that are run, and how much its functions have to look at. */
import { programSize } from '../regexp/program-size.ts'
import { fail, OverBudgetTrouble } from './error.ts'
import { isListValue, MapValue, Optional, Timestamp, type Value } from './values.ts'

/** What is left, shared by all parts of one evaluation. One unit is a part that is run, or some letters or items that are looked at. */
export type Budget = { left: number }

/** About 20 ms at most: whoever evaluates has others waiting. */
export const usualBudget = 100_000

export function charge(budget: Budget, units: number): void {
  budget.left -= units
  if (budget.left < 0) throw new OverBudgetTrouble('this costs more than an expression may')
}

/** Letters that cost as much as one step. */
const lettersInOne = 16

/** Items, keys and letters in it, at any depth. What is held twice counts twice, as it does for whoever walks through it. */
export function sizeIn(value: Value, most: number): number {
  let size = 0
  const open: Value[] = [value]
  while (open.length > 0 && size <= most) {
    const one = open.pop() ?? null
    size += 1
    if (typeof one === 'string' || one instanceof Uint8Array) size += one.length / lettersInOne
    else if (isListValue(one)) {
      if (one.length > most) return one.length
      for (const item of one) open.push(item)
    } else if (one instanceof MapValue) {
      if (one.size > most) return one.size
      for (const [key, item] of one.entries()) open.push(key, item)
    } else if (one instanceof Optional && one.value !== undefined) open.push(one.value)
  }
  return size
}

/** Whoever looks at all of these values pays for it before. */
export function chargeFor(budget: Budget, values: readonly Value[]): void {
  for (const value of values) {
    if (typeof value === 'object' || typeof value === 'string') {
      charge(budget, sizeIn(value, budget.left))
    }
  }
}

/** Functions whose work or answer is larger than what they are given: each pays by the product. */
export function chargeForCall(budget: Budget, name: string, values: readonly Value[]): void {
  chargeFor(budget, values)
  const [first = null, second = null, third = null] = values
  const sizes = (): readonly [number, number] => [
    sizeIn(first, budget.left),
    sizeIn(second, budget.left),
  ]
  switch (name) {
    case 'matches':
      if (typeof first === 'string' && typeof second === 'string') {
        // it is compiled first, and then each letter is held against each place of it
        const size = programSize(second)
        charge(budget, size * 20 + (first.length * size) / 4)
      }
      return
    case 'indexOf':
    case 'lastIndexOf':
      if (typeof first === 'string' && typeof second === 'string') {
        charge(budget, first.length + (first.length * second.length) / lettersInOne)
      }
      return
    case 'replace':
      if (typeof first === 'string' && typeof second === 'string' && typeof third === 'string') {
        const times = first.length / Math.max(1, second.length) + 1
        charge(budget, times + (times * third.length) / lettersInOne)
      }
      return
    case 'join':
      if (isListValue(first) && typeof second === 'string') {
        charge(budget, (first.length * second.length) / lettersInOne)
      }
      return
    case 'split':
    case 'reverse':
    case 'charAt':
    case 'substring':
    case 'trim':
    case 'size':
      if (typeof first === 'string') charge(budget, first.length)
      return
    case 'contains':
    case 'equivalent':
    case 'intersects': {
      if (typeof first === 'string') return
      const [one, other] = sizes()
      charge(budget, one * other * (name === 'equivalent' ? 2 : 1))
      return
    }
    case 'int':
    case 'uint':
    case 'double':
    case 'duration':
    case 'timestamp':
      // reading many digits takes the square of their count
      if (typeof first === 'string' && first.length > longestNumber) fail('this is too long')
      return
    default:
      // the rules of a time zone are read anew for each time
      if (first instanceof Timestamp && values.length > 1) charge(budget, 500)
  }
}

const longestNumber = 1_000
