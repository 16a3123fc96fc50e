/** The functions that every Go template has. */
import { GoError } from '../errors.ts'
import { sprint, sprintln } from '../fmt/print.ts'
import { sprintf } from '../fmt/printf.ts'
import {
  anything,
  raw,
  takes1,
  takes1Rest,
  takes2,
  takesRest,
  text,
  type Context,
  type Func,
} from '../library.ts'
import {
  box,
  element,
  integerOf,
  isTrue,
  sized,
  typeOf,
  unbox,
  type Operand,
  type Value,
} from '../values.ts'
import { compareLess, isEqual } from './compare.ts'
import { escapeHtml, escapeJs, escapeQuery } from './escape.ts'

/** and, or and call are the evaluator's own: it decides which arguments are looked at. */
function evaluated(): never {
  throw new GoError('unreachable')
}

export const builtins: Readonly<Record<string, Func>> = {
  and: takes1Rest(raw, raw, evaluated),
  or: takes1Rest(raw, raw, evaluated),
  call: takes1Rest(raw, raw, evaluated),
  not: takes1(raw, (_, value) => !isTrue(unbox(value))),
  len: takes1(raw, (_, value) => length(value)),
  index: takes1Rest(raw, raw, (_, item, indexes) => index(item, indexes)),
  print: takesRest(anything, ({ budget }, values) => sprint(values, budget)),
  println: takesRest(anything, ({ budget }, values) => sprintln(values, budget)),
  printf: takes1Rest(text, anything, ({ budget }, format, values) =>
    sprintf(format, values, budget),
  ),
  html: takesRest(anything, (context, values) => escapeHtml(joined(context, values))),
  js: takesRest(anything, (context, values) => escapeJs(joined(context, values))),
  urlquery: takesRest(anything, (context, values) => escapeQuery(joined(context, values))),
  eq: takes1Rest(raw, raw, ({ budget }, first, others) => isEqual(first, others, budget)),
  ne: takes2(raw, raw, ({ budget }, left, right) => !isEqual(left, [right], budget)),
  lt: takes2(raw, raw, (_, left, right) => compareLess(left, right)),
  le: takes2(
    raw,
    raw,
    ({ budget }, left, right) => compareLess(left, right) || isEqual(left, [right], budget),
  ),
  gt: takes2(
    raw,
    raw,
    ({ budget }, left, right) => !(compareLess(left, right) || isEqual(left, [right], budget)),
  ),
  ge: takes2(raw, raw, (_, left, right) => !compareLess(left, right)),
}

/** A single string stays as it is; everything else is printed as print would. */
function joined({ budget }: Context, values: readonly Value[]): string {
  const [first] = values
  if (values.length === 1 && typeof first === 'string') return first
  return sprint(
    values.map((value) => (value === null ? '<no value>' : value)),
    budget,
  )
}

function length(item: Operand): bigint {
  if (item === undefined) throw new GoError('reflect: call of reflect.Value.Type on zero Value')
  const value = unbox(item)
  if (value === null) throw new GoError('len of nil pointer')
  if (typeof value === 'string') return BigInt(value.length)
  if (typeof value === 'object' && value.kind === 'list') return BigInt(value.items.length)
  if (typeof value === 'object' && value.kind === 'dict') return BigInt(value.entries.size)
  throw new GoError(`len of type ${typeOf(value).replace(/^\*/, '')}`)
}

function index(item: Operand, indexes: readonly Operand[]): Operand {
  if (unbox(item) === null) throw new GoError('index of untyped nil')
  let found = item
  for (const each of indexes) {
    const value = unbox(found)
    const at = unbox(each)
    if (value === null) throw new GoError('index of nil pointer')
    if (typeof value === 'string') {
      const position = positionOf(at, value.length)
      if (position === value.length) throw new GoError('reflect: string index out of range')
      found = sized('uint8', BigInt(value.charCodeAt(position)))
    } else if (typeof value === 'object' && value.kind === 'list') {
      const position = positionOf(at, value.items.length)
      const held = value.items[position]
      if (held === undefined) throw new GoError('reflect: slice index out of range')
      found = element(value, held)
    } else if (typeof value === 'object' && value.kind === 'dict') {
      if (at === null) throw new GoError('value is nil; should be of type string')
      if (typeof at !== 'string')
        throw new GoError(`value has type ${typeOf(at)}; should be string`)
      const held = value.entries.get(at)
      if (held !== undefined) found = element(value, held)
      else found = value.type === 'map[string]string' ? '' : box(null)
    } else throw new GoError(`can't index item of type ${typeOf(value)}`)
  }
  return found
}

/** Go lets the length itself through here and then panics on the access. */
function positionOf(at: Value, size: number): number {
  if (at === null) throw new GoError('cannot index slice/array with nil')
  const position = integerOf(at)
  if (position === undefined) throw new GoError(`cannot index slice/array with type ${typeOf(at)}`)
  if (position < 0n || position > BigInt(size)) throw new GoError(`index out of range: ${position}`)
  return Number(position)
}
