/** A provider's configuration may hold passwords of registries: one sees which fields it has, and no text of it. Pure. */
import { mask } from '#model/secret-shapes.ts'
import { isList, isRecord, type Json, type JsonRecord } from '#model/json.ts'

export function hiddenConfig(config: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, hiddenValue(value)]))
}

function hiddenValue(value: Json): Json {
  if (isList<Json>(value)) return value.map(hiddenValue)
  if (isRecord<Json>(value)) return hiddenConfig(value)
  return value === null || typeof value === 'boolean' ? value : mask
}
