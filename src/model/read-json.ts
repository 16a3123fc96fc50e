/** Reads fields of plain data without trusting its shape: what is missing or of another type reads as nothing. */
import { isList, isRecord, type Json, type JsonRecord } from './json.ts'

export function recordsOf(value: unknown): readonly JsonRecord[] {
  return isList<Json>(value) ? value.filter((item) => isRecord<Json>(item)) : []
}

export function recordOf(value: unknown): JsonRecord {
  return isRecord<Json>(value) ? value : {}
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

export function textsOf(value: unknown): readonly string[] {
  return isList<Json>(value) ? value.filter((item) => typeof item === 'string') : []
}

/** A map of texts, such as labels or options. */
export function textMapOf(value: unknown): Readonly<Record<string, string>> {
  if (isRecord<Json>(value) && hasTextsOnly(value)) return value
  const entries = Object.entries(recordOf(value))
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** Nearly always so: then it is not copied, as lists of hundreds of containers come every few seconds. */
function hasTextsOnly(record: JsonRecord): record is Readonly<Record<string, string>> {
  for (const key in record) if (typeof record[key] !== 'string') return false
  return true
}
