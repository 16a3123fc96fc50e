/** Plain data, and the one text form in which it is hashed and compared. */
import { createHash } from 'node:crypto'

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

export type JsonRecord = { readonly [key: string]: Json }

/** Keys sorted, nothing optional: the same data is the same bytes wherever it was made. */
export function canonical(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList<Json>(value)) return `[${value.map(canonical).join(',')}]`
  let text = ''
  for (const [key, item] of Object.entries(value).toSorted(byKey)) {
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonical(item)}`
  }
  return `{${text}}`
}

function byKey([one]: readonly [string, Json], [other]: readonly [string, Json]): number {
  return one < other ? -1 : one > other ? 1 : 0
}

export function hashOf(value: Json): string {
  return createHash('sha256').update(canonical(value)).digest('hex')
}

export function isList<Item>(value: unknown): value is readonly Item[] {
  return Array.isArray(value)
}

export function isRecord<Item>(value: unknown): value is { readonly [key: string]: Item } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
