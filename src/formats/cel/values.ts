/** What an expression works with: JSON in and out, whole numbers apart from others, times, and values that may not be there. */
import { fail } from './error.ts'

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** Whole numbers are bigint, others number. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | TypeName
  | Optional
  | MapValue
  | readonly Value[]

export class Uint {
  readonly value: bigint
  constructor(value: bigint) {
    this.value = value
  }
}

/** Nanoseconds since 1970. */
export class Timestamp {
  readonly nanoseconds: bigint
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds
  }
}

export class Duration {
  readonly nanoseconds: bigint
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds
  }
}

export class TypeName {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

export class Optional {
  readonly value: Value | undefined
  constructor(value?: Value) {
    this.value = value
  }
}

export type Key = string | bigint | boolean | Uint

/** Keys of different types are different keys; numbers that are equal are one. */
export class MapValue {
  readonly #entries = new Map<string | bigint | boolean, readonly [Key, Value]>()

  get(key: Value): Value | undefined {
    const index = indexOf(key)
    return index === undefined ? undefined : this.#entries.get(index)?.[1]
  }
  set(key: Value, value: Value): void {
    const index = indexOf(key)
    if (index === undefined || typeof key === 'number' || !isKey(key)) {
      return fail(`${typeOf(key)} can't be the key of a map`)
    }
    this.#entries.set(index, [key, value])
  }
  has(key: Value): boolean {
    const index = indexOf(key)
    return index !== undefined && this.#entries.has(index)
  }
  get size(): number {
    return this.#entries.size
  }
  keys(): readonly Key[] {
    return Array.from(this.#entries.values(), ([key]) => key)
  }
  entries(): readonly (readonly [Key, Value])[] {
    return [...this.#entries.values()]
  }
}

function isKey(value: Value): value is Key {
  return (
    typeof value === 'string' ||
    typeof value === 'bigint' ||
    typeof value === 'boolean' ||
    value instanceof Uint
  )
}

function indexOf(key: Value): string | bigint | boolean | undefined {
  if (key instanceof Uint) return key.value
  if (typeof key === 'number') return Number.isInteger(key) ? BigInt(key) : undefined
  return typeof key === 'object' || !isKey(key) ? undefined : key
}

export function isListValue(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

export function typeOf(value: Value): string {
  if (value === null) return 'null_type'
  if (isListValue(value)) return 'list'
  if (value instanceof MapValue) return 'map'
  if (value instanceof Uint8Array) return 'bytes'
  if (value instanceof Uint) return 'uint'
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp'
  if (value instanceof Duration) return 'google.protobuf.Duration'
  if (value instanceof TypeName) return 'type'
  if (value instanceof Optional) return 'optional_type'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'int'
  return typeof value === 'number' ? 'double' : 'string'
}

/** Numbers without a fraction are whole numbers. */
export function valueOfJson(json: Json | undefined): Value {
  if (json === undefined) return null
  if (typeof json === 'number') return Number.isSafeInteger(json) ? BigInt(json) : json
  if (typeof json !== 'object' || json === null) return json
  if (isJsonList(json)) return json.map(valueOfJson)
  const map = new MapValue()
  for (const [key, value] of Object.entries(json)) map.set(key, valueOfJson(value))
  return map
}

function isJsonList(json: Json): json is readonly Json[] {
  return Array.isArray(json)
}
