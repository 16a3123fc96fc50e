/** Sprig's arithmetic: 64-bit integers that wrap, floats, and floats by way of decimals. */
import { GoError } from '../errors.ts'
import { plain } from '../fmt/print.ts'
import {
  anything,
  float,
  int,
  takes1,
  takes1Rest,
  takes2,
  takes2Rest,
  takes3,
  takesRest,
  text,
  type Context,
  type Func,
} from '../library.ts'
import { parseInteger } from '../strconv.ts'
import { int as toGoInt, int64, list, type List, type Value } from '../values.ts'
import { toFloat, toInt } from './cast.ts'
import {
  addDecimals,
  divideDecimals,
  fromFloat,
  multiplyDecimals,
  toNumber,
  type Decimal,
} from './decimal.ts'

const max = takes1Rest(anything, anything, (_, first, rest) => {
  return int64(rest.map(toInt).reduce((left, right) => (right > left ? right : left), toInt(first)))
})

export const mathFunctions: Readonly<Record<string, Func>> = {
  add: takesRest(anything, (_, values) =>
    int64(values.reduce((sum: bigint, value) => sum + toInt(value), 0n)),
  ),
  add1: takes1(anything, (_, value) => int64(toInt(value) + 1n)),
  sub: takes2(anything, anything, (_, left, right) => int64(toInt(left) - toInt(right))),
  div: takes2(anything, anything, (_, left, right) => int64(toInt(left) / divisor(right))),
  mod: takes2(anything, anything, (_, left, right) => int64(toInt(left) % divisor(right))),
  mul: takes1Rest(anything, anything, (_, first, rest) => {
    return int64(
      rest.map(toInt).reduce((product, value) => BigInt.asIntN(64, product * value), toInt(first)),
    )
  }),
  max,
  biggest: max,
  min: takes1Rest(anything, anything, (_, first, rest) => {
    return int64(
      rest.map(toInt).reduce((left, right) => (right < left ? right : left), toInt(first)),
    )
  }),
  maxf: takes1Rest(anything, anything, (_, first, rest) =>
    Math.max(toFloat(first), ...rest.map(toFloat)),
  ),
  minf: takes1Rest(anything, anything, (_, first, rest) =>
    Math.min(toFloat(first), ...rest.map(toFloat)),
  ),
  add1f: takes1(anything, (_, value) => decimals(value, [1], addDecimals)),
  addf: takesRest(anything, (_, values) => decimals(0, values, addDecimals)),
  subf: takes1Rest(anything, anything, (_, first, rest) => {
    return decimals(first, rest, (left, right) =>
      addDecimals(left, { ...right, digits: -right.digits }),
    )
  }),
  mulf: takes1Rest(anything, anything, (_, first, rest) => decimals(first, rest, multiplyDecimals)),
  divf: takes1Rest(anything, anything, (_, first, rest) => decimals(first, rest, divideDecimals)),
  ceil: takes1(anything, (_, value) => Math.ceil(toFloat(value))),
  floor: takes1(anything, (_, value) => Math.floor(toFloat(value))),
  round: takes2Rest(anything, int, float, (_, value, places, [up = 0.5]) =>
    round(toFloat(value), places, up),
  ),
  int: takes1(anything, (_, value) => toInt(value)),
  int64: takes1(anything, (_, value) => int64(toInt(value))),
  float64: takes1(anything, (_, value) => toFloat(value)),
  atoi: takes1(text, (_, value) => clamped(parseInteger(value, 10) ?? 0n)),
  toDecimal: takes1(anything, ({ budget }, value) => octal(plain(value, budget))),
  until: takes1(int, (context, count) => untilStep(context, 0, count, count < 0 ? -1 : 1)),
  untilStep: takes3(int, int, int, (context, start, stop, step) =>
    untilStep(context, start, stop, step),
  ),
  seq: takesRest(int, (context, bounds) => seq(context, bounds)),
}

function divisor(value: Value): bigint {
  const number = toInt(value)
  if (number === 0n) throw new GoError('runtime error: integer divide by zero')
  return number
}

function decimals(
  first: Value,
  rest: readonly Value[],
  combine: (left: Decimal, right: Decimal) => Decimal,
): number {
  return toNumber(
    rest.map((value) => fromFloat(toFloat(value))).reduce(combine, fromFloat(toFloat(first))),
  )
}

function round(value: number, places: number, up: number): number {
  const power = 10 ** places
  const digit = power * value
  const fraction = digit - Math.trunc(digit)
  return (fraction >= up ? Math.ceil(digit) : Math.floor(digit)) / power
}

function clamped(value: bigint): bigint {
  const most = (1n << 63n) - 1n
  return value > most ? most : value < -most - 1n ? -most - 1n : value
}

function octal(digits: string): Value {
  const read = parseInteger(digits, 8)
  return int64(read === undefined || clamped(read) !== read ? 0n : read)
}

function untilStep({ budget }: Context, start: number, stop: number, step: number): List {
  const isDown = stop < start
  if (isDown ? step >= 0 : step <= 0) return list([], '[]int')
  budget.spend(Math.ceil((stop - start) / step))
  const items: Value[] = []
  for (let value = start; isDown ? value > stop : value < stop; value += step)
    items.push(toGoInt(value))
  return list(items, '[]int')
}

function seq(context: Context, bounds: readonly number[]): string {
  const [first = 0, second = 0, third = 0] = bounds
  const numbers = (start: number, stop: number, step: number) =>
    untilStep(context, start, stop, step).items.map(String).join(' ')
  if (bounds.length === 1) {
    const step = first < 1 ? -1 : 1
    return numbers(1, first + step, step)
  }
  if (bounds.length === 2) {
    const step = second < first ? -1 : 1
    return numbers(first, second + step, step)
  }
  if (bounds.length !== 3 || (third < first && second > 0)) return ''
  return numbers(first, third + (third < first ? -1 : 1), second)
}
