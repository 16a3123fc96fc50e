/** A value of the language as JSON: bytes as base64, times as texts. */
import { toText } from './conversions.ts'
import { isListValue, MapValue, Optional, Uint, type Json, type Value } from './values.ts'

export function jsonOf(value: Value): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint) return Number(value.value)
  if (isListValue(value)) return value.map(jsonOf)
  if (value instanceof MapValue) {
    return Object.fromEntries(value.entries().map(([key, item]) => [toText(key), jsonOf(item)]))
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Optional) return value.value === undefined ? null : jsonOf(value.value)
  return toText(value)
}
