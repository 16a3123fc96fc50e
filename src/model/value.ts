/** What a spec may hold beside plain data: secrets, and values that another resource yields. */
import { isList, isRecord, type Json } from './json.ts'
import type { Ref } from './ref.ts'

/** A secret's place in a spec: compared by salted hash, opened only by `operate`. The text is its id in the vault. */
export type Sealed = { readonly sealed: string }

/** A value that is known once another resource exists: the object name of a secret, a cluster's address. */
export type Later = { readonly from: Ref; readonly output: string }

export type Value = Json | Sealed | Later | readonly Value[] | { readonly [key: string]: Value }

/** How a sealed value is recorded on a resource: `salt:hash`, never the value. */
type Digest = { readonly digest: string }

export function isSealed(value: unknown): value is Sealed {
  return isRecord(value) && typeof value['sealed'] === 'string' && Object.keys(value).length === 1
}

export function isDigest(value: unknown): value is Digest {
  return isRecord(value) && typeof value['digest'] === 'string' && Object.keys(value).length === 1
}

export function isLater(value: unknown): value is Later {
  return (
    isRecord(value) &&
    typeof value['from'] === 'string' &&
    typeof value['output'] === 'string' &&
    Object.keys(value).length === 2
  )
}

/** The value with every sealed or later leaf replaced by what `leaf` makes of it; itself where that changes nothing. */
export function mapValue(value: Value, leaf: (leaf: Sealed | Later) => Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (isSealed(value) || isLater(value)) return leaf(value)
  if (isList<Value>(value)) {
    const mapped = value.map((item) => mapValue(item, leaf))
    return mapped.some((item, index) => item !== value[index]) ? mapped : value
  }
  let mapped: Record<string, Value> | undefined
  for (const key in value) {
    const item = value[key]
    if (item === undefined) continue
    const made = mapValue(item, leaf)
    if (made === item) continue
    mapped ??= { ...value }
    mapped[key] = made
  }
  return mapped ?? value
}

export function leavesOf(value: Value): readonly (Sealed | Later)[] {
  const found: (Sealed | Later)[] = []
  mapValue(value, (leaf) => {
    found.push(leaf)
    return leaf
  })
  return found
}

/** A value that by now holds no sealed or later leaf. */
export function settled(value: Value): Json {
  mapValue(value, (leaf) => {
    throw new TypeError(`not settled: ${JSON.stringify(leaf)}`)
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it holds nothing else, as was just seen
  return value as Json
}
