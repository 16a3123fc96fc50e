/** What looks like a call but does not evaluate its arguments first: has, all, exists, exists_one, map, filter, and optional ones. */
import type { Names, Run } from './compile.ts'
import { charge } from './cost.ts'
import { CelError, fail, OverBudget, Trouble } from './error.ts'
import type { Expression } from './parse.ts'
import { isListValue, MapValue, Optional, typeOf, type Value } from './values.ts'
import { defined } from '#model/defined.ts'

type Call = Expression & { readonly kind: 'call' }
type Compile = (expression: Expression) => Run
type Refuse = (reason: string, at: number) => never

/** Undefined: it is a call like others. */
export function macroOf(call: Call, compile: Compile, refuse: Refuse): Run | undefined {
  const { name, on, args } = call
  if (on === undefined) {
    return name === 'has' && args.length === 1
      ? hasField(defined(args[0]), compile, refuse)
      : undefined
  }
  if (name === 'or' || name === 'orValue') {
    if (args.length !== 1) return undefined
    const whole = compile(on)
    const other = compile(defined(args[0]))
    return (names) => {
      const { value } = optionalOf(whole(names))
      if (value === undefined) return other(names)
      return name === 'or' ? new Optional(value) : value
    }
  }
  const isFold = ['all', 'exists', 'exists_one', 'existsOne', 'filter', 'map'].includes(name)
  const isOptional = name === 'optMap' || name === 'optFlatMap'
  if ((!isFold && !isOptional) || (args.length !== 2 && !(name === 'map' && args.length === 3)))
    return undefined
  // only of a macro: a call like others compiles it by itself, and twice at each level would be 2ⁿ for n calls in a row
  const whole = compile(on)
  const [variable, first, second] = args
  if (variable?.kind !== 'name') {
    return refuse(`${name} needs the name of a variable first`, variable?.at ?? call.at)
  }
  const bind = (names: Names, value: Value): Names => {
    const inside = (wanted: string) => (wanted === variable.name ? value : names(wanted))
    return Object.assign(inside, { budget: names.budget })
  }
  const step = compile(defined(first))
  if (isOptional) {
    return (names) => {
      const { value } = optionalOf(whole(names))
      if (value === undefined) return new Optional()
      const result = step(bind(names, value))
      return name === 'optMap' ? new Optional(result) : optionalOf(result)
    }
  }
  const last = second === undefined ? undefined : compile(second)
  return (names) => {
    const items = itemsOf(whole(names))
    charge(names.budget, items.length)
    return fold(name, items, (item) => step(bind(names, item)), {
      last: last && ((item) => last(bind(names, item))),
    })
  }
}

function optionalOf(value: Value): Optional {
  return value instanceof Optional ? value : fail(`${typeOf(value)} is no optional value`)
}

/** Whether a field is there; what holds it must be, but need not have fields. */
function hasField(field: Expression, compile: Compile, refuse: Refuse): Run {
  if (field.kind !== 'field') return refuse('has() asks for a field: has(a.b)', field.at)
  const whole = compile(field.of)
  return (names) => {
    const found = whole(names)
    const value = found instanceof Optional ? found.value : found
    if (value === undefined) return false
    return value instanceof MapValue && value.has(field.name)
  }
}

function itemsOf(value: Value): readonly Value[] {
  if (isListValue(value)) return value
  return value instanceof MapValue ? value.keys() : fail(`${typeOf(value)} has no items`)
}

function fold(
  name: string,
  items: readonly Value[],
  step: (item: Value) => Value,
  { last }: { readonly last: ((item: Value) => Value) | undefined },
): Value {
  switch (name) {
    case 'all':
      return someDecide(items, step, false)
    case 'exists':
      return someDecide(items, step, true)
    case 'filter':
      return items.filter((item) => isTrue(step(item)))
    case 'map':
      if (last === undefined) return items.map(step)
      return items.filter((item) => isTrue(step(item))).map(last)
    default:
      return items.filter((item) => isTrue(step(item))).length === 1
  }
}

function isTrue(value: Value): boolean {
  return typeof value === 'boolean' ? value : fail(`expected true or false, found ${typeOf(value)}`)
}

/** One item that decides is enough, even where others fail. */
function someDecide(items: readonly Value[], step: (item: Value) => Value, by: boolean): boolean {
  let trouble: unknown
  for (const item of items) {
    try {
      if (isTrue(step(item)) === by) return by
    } catch (error) {
      if (error instanceof OverBudget) throw error
      if (!(error instanceof Trouble || error instanceof CelError)) throw error
      trouble ??= error
    }
  }
  if (trouble !== undefined) throw trouble
  return !by
}
