/** Sprig's list functions. */
import { GoError } from '../errors.ts'
import {
  anything,
  flag,
  int,
  takes1,
  takes1Rest,
  takes2,
  takes3,
  takesRest,
  text,
  type Context,
  type Func,
} from '../library.ts'
import { box, isTrue, kindOf, list, nilList, typeOf, type List, type Value } from '../values.ts'
import { toInt } from './cast.ts'
import { deepEqual } from './compare.ts'
import { isList } from './strings.ts'

const nilDereference = 'runtime error: invalid memory address or nil pointer dereference'

const push = takes2(anything, anything, (_, value, item) =>
  list([...itemsOf(value, 'push on'), item]),
)
const prepend = takes2(anything, anything, (_, value, item) =>
  list([item, ...itemsOf(value, 'prepend on')]),
)
const first = takes1(anything, (_, value) => box(itemsOf(value, 'find first on')[0] ?? null))
const last = takes1(anything, (_, value) => box(itemsOf(value, 'find last on').at(-1) ?? null))
const rest = takes1(anything, (_, value) => cut(itemsOf(value, 'find rest on'), 1, undefined))
const initial = takes1(anything, (_, value) => cut(itemsOf(value, 'find initial on'), 0, -1))
const reverse = takes1(anything, (_, value) =>
  list([...itemsOf(value, 'find reverse on')].reverse()),
)
const compact = takes1(anything, (_, value) => list(itemsOf(value, 'compact on').filter(isTrue)))
const uniq = takes1(anything, (context, value) => {
  const kept: Value[] = []
  for (const item of itemsOf(value, 'find uniq on'))
    if (!isAmong(context, kept, item)) kept.push(item)
  return list(kept)
})
const without = takes1Rest(anything, anything, (context, value, omitted) => {
  return list(itemsOf(value, 'find without on').filter((item) => !isAmong(context, omitted, item)))
})
const has = takes2(anything, anything, (context, needle, value) => {
  return value !== null && isAmong(context, itemsOf(value, 'find has on'), needle)
})
const slice = takes1Rest(anything, anything, (_, value, indexes) => box(sliceOf(value, indexes)))
const chunk = takes2(int, anything, (_, size, value) => chunks(size, itemsOf(value, 'chunk')))
const makeList = takesRest(anything, (_, values) => list(values))

export const listFunctions: Readonly<Record<string, Func>> = {
  list: makeList,
  tuple: makeList,
  append: push,
  push,
  mustAppend: push,
  mustPush: push,
  prepend,
  mustPrepend: prepend,
  first,
  mustFirst: first,
  last,
  mustLast: last,
  rest,
  mustRest: rest,
  initial,
  mustInitial: initial,
  reverse,
  mustReverse: reverse,
  compact,
  mustCompact: compact,
  uniq,
  mustUniq: uniq,
  without,
  mustWithout: without,
  has,
  mustHas: has,
  slice,
  mustSlice: slice,
  chunk,
  mustChunk: chunk,
  concat: takesRest(anything, ({ budget }, values) => {
    budget.spend(
      values.reduce((sum: number, value) => sum + (isList(value) ? value.items.length : 0), 0),
    )
    const items = values.flatMap((value) => concatenated(value))
    return items.length === 0 ? nilList() : list(items)
  }),
  default: takes1Rest(anything, anything, (_, fallback, [given = null]) =>
    box(isTrue(given) ? given : fallback),
  ),
  empty: takes1(anything, (_, value) => !isTrue(value)),
  coalesce: takesRest(anything, (_, values) => box(values.find(isTrue) ?? null)),
  all: takesRest(anything, (_, values) => values.every(isTrue)),
  any: takesRest(anything, (_, values) => values.some(isTrue)),
  ternary: takes3(anything, anything, flag, (_, yes, no, condition) => box(condition ? yes : no)),
  typeOf: takes1(anything, (_, value) => typeName(value)),
  typeIs: takes2(text, anything, (_, name, value) => name === typeName(value)),
  typeIsLike: takes2(text, anything, (_, name, value) => {
    return name === typeName(value) || `*${name}` === typeName(value)
  }),
  kindOf: takes1(anything, (_, value) => kindOf(value)),
  kindIs: takes2(text, anything, (_, name, value) => name === kindOf(value)),
  deepEqual: takes2(anything, anything, ({ budget }, left, right) =>
    deepEqual(left, right, budget),
  ),
}

function typeName(value: Value): string {
  return value === null ? '<nil>' : typeOf(value)
}

export function itemsOf(value: Value, verb: string): readonly Value[] {
  if (value === null) throw new GoError(nilDereference)
  if (isList(value)) return value.items
  const target = verb === 'chunk' ? 'Cannot chunk type' : `Cannot ${verb} type`
  throw new GoError(`${target} ${kindOf(value)}`)
}

function cut(items: readonly Value[], start: number, end: number | undefined): List {
  return items.length === 0 ? nilList() : list(items.slice(start, end))
}

function isAmong({ budget }: Context, items: readonly Value[], wanted: Value): boolean {
  return items.some((item) => deepEqual(wanted, item, budget))
}

function sliceOf(value: Value, [from, to]: readonly Value[]): Value {
  if (value === null) throw new GoError(nilDereference)
  if (!isList(value))
    throw new GoError(`list should be type of slice or array but ${kindOf(value)}`)
  const { length } = value.items
  if (length === 0) return null
  const start = from === undefined ? 0 : Number(toInt(from))
  const end = to === undefined ? length : Number(toInt(to))
  if (start < 0 || end < start || end > length) {
    throw new GoError('reflect.Value.Slice: slice index out of bounds')
  }
  return list(value.items.slice(start, end), value.type)
}

function chunks(size: number, items: readonly Value[]): List {
  if (size <= 0 && items.length > 0) throw new GoError('runtime error: makeslice: len out of range')
  const parts: Value[] = []
  for (let at = 0; at < items.length; at += size) parts.push(list(items.slice(at, at + size)))
  return list(parts, '[][]interface {}')
}

function concatenated(value: Value): readonly Value[] {
  if (value === null) throw new GoError(nilDereference)
  if (isList(value)) return value.items
  throw new GoError(`Cannot concat type ${kindOf(value)} as list`)
}
