/** Sprig's dictionary functions. */
import { GoError } from '../errors.ts'
import { plain } from '../fmt/print.ts'
import {
  anything,
  dictionary,
  strings,
  takes1,
  takes1Rest,
  takes2,
  takes3,
  takesRest,
  text,
  type Context,
  type Func,
} from '../library.ts'
import { anyMap, box, dict, list, sortedKeys, typeOf, type Dict, type Value } from '../values.ts'
import { merged } from './merge.ts'

const merge = takes1Rest(dictionary, dictionary, ({ budget }, target, sources) =>
  merged(target, sources, false, budget),
)
const mergeOverwrite = takes1Rest(dictionary, dictionary, ({ budget }, target, sources) => {
  return merged(target, sources, true, budget)
})
const deepCopy = takes1(anything, (context, value) => {
  if (value === null) throw new GoError('reflect: call of reflect.Value.Type on zero Value')
  return box(copied(context, value, 0))
})

export const dictFunctions: Readonly<Record<string, Func>> = {
  dict: takesRest(anything, (context, values) => makeDict(context, values)),
  get: takes2(dictionary, text, (_, from, key) =>
    box(from.entries.get(key) ?? (from.entries.has(key) ? null : '')),
  ),
  set: takes3(dictionary, text, anything, (_, target, key, value) => {
    if (target.isNil) throw new GoError('assignment to entry in nil map')
    target.entries.set(key, value)
    return target
  }),
  unset: takes2(dictionary, text, (_, target, key) => {
    target.entries.delete(key)
    return target
  }),
  hasKey: takes2(dictionary, text, (_, from, key) => from.entries.has(key)),
  pluck: takes1Rest(text, dictionary, (_, key, dicts) =>
    list(dicts.flatMap(({ entries }) => entries.get(key) ?? [])),
  ),
  keys: takesRest(dictionary, (_, dicts) => strings(dicts.flatMap(sortedKeys))),
  values: takes1(dictionary, (_, from) =>
    list(sortedKeys(from).map((key) => from.entries.get(key) ?? null)),
  ),
  pick: takes1Rest(dictionary, text, (_, from, keys) => {
    const wanted = new Set(keys)
    return dict(new Map([...from.entries].filter(([key]) => wanted.has(key))))
  }),
  omit: takes1Rest(dictionary, text, (_, from, keys) => {
    const unwanted = new Set(keys)
    return dict(new Map([...from.entries].filter(([key]) => !unwanted.has(key))))
  }),
  merge,
  mustMerge: merge,
  mergeOverwrite,
  mustMergeOverwrite: mergeOverwrite,
  deepCopy,
  mustDeepCopy: deepCopy,
  dig: takesRest(anything, (_, values) => box(dig(values))),
}

function makeDict({ budget }: Context, values: readonly Value[]): Dict {
  const entries = new Map<string, Value>()
  for (let index = 0; index < values.length; index += 2) {
    const key = values[index] ?? null
    const value = values[index + 1]
    entries.set(key === null ? '<nil>' : plain(key, budget), value === undefined ? '' : value)
  }
  return dict(entries)
}

/** The library that copies sees no private fields, and a version has no others. */
const emptyVersion = { major: 0n, minor: 0n, patch: 0n, pre: '', metadata: '', original: '' }

function copied({ budget }: Pick<Context, 'budget'>, value: Value, depth: number): Value {
  budget.grow()
  budget.nest(depth)
  if (typeof value !== 'object' || value === null) return value
  if (value.kind === 'list') {
    return { ...value, items: value.items.map((item) => copied({ budget }, item, depth + 1)) }
  }
  if (value.kind === 'semver') return { kind: 'semver', version: emptyVersion }
  if (value.kind !== 'dict') return value
  const entries = [...value.entries].map(([key, held]): [string, Value] => [
    key,
    copied({ budget }, held, depth + 1),
  ])
  return { ...value, entries: new Map(entries) }
}

/** `dig "a" "b" fallback dict`: the fallback when a key is missing, an error when a step is no map. */
function dig(values: readonly Value[]): Value {
  if (values.length < 3) throw new GoError('dig needs at least three arguments')
  let from = asDict(values.at(-1) ?? null)
  const fallback = values.at(-2) ?? null
  const keys = values.slice(0, -2).map((key) => {
    if (typeof key !== 'string') throw conversion(key, 'string')
    return key
  })
  for (const [index, key] of keys.entries()) {
    const held = from.entries.get(key)
    if (held === undefined) return fallback
    if (index === keys.length - 1) return held
    from = asDict(held)
  }
  return fallback
}

function asDict(value: Value): Dict {
  if (typeof value === 'object' && value?.kind === 'dict' && value.type === anyMap) return value
  throw conversion(value, anyMap)
}

function conversion(value: Value, wanted: string): GoError {
  const found = value === null ? 'nil' : typeOf(value)
  return new GoError(`interface conversion: interface {} is ${found}, not ${wanted}`)
}
