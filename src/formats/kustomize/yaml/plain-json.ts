/** Plain data of a build to JSON values as the rest of the world has them. */
import type { Plain } from './plain.ts'

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

export type JsonObject = { readonly [key: string]: Json }

/** Undefined for what is no map. */
export function jsonObject(value: Plain): JsonObject | undefined {
  if (!(value instanceof Map)) return undefined
  const object: { [key: string]: Json } = {}
  for (const [key, item] of value) {
    if (key === '__proto__')
      return Object.fromEntries([...value].map(([k, v]) => [k, jsonValue(v)]))
    object[key] = jsonValue(item)
  }
  return object
}

/** Whole numbers beyond what a number holds exactly lose digits; the text of a build keeps them. */
function jsonValue(value: Plain): Json {
  if (Array.isArray(value)) return value.map(jsonValue)
  if (value instanceof Map) return jsonObject(value) ?? {}
  return typeof value === 'bigint' ? Number(value) : value
}
