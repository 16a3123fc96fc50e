/** Rows that declare an application, as schemas. */
import type { Json, JsonRecord } from '#model/json.ts'
import * as z from 'zod/mini'
import { health, list, resource, syncOfResource } from './model.ts'

// bodies come out of a text of JSON: whatever is in them is some
const value: z.ZodMiniType<Json> = z.any()
/** By the name of the column. */
export const rowColumns: z.ZodMiniType<JsonRecord> = z.record(z.string(), value)

const assessment = z.extend(resource, {
  sync: syncOfResource,
  health: z.optional(z.omit(health, { since: true })),
})

export const row = z.object({
  name: z.string(),
  provider: z.string(),
  declared: rowColumns,
  actual: z.string(),
  assessment: z.optional(assessment),
  conditions: list(
    z.object({
      type: z.string(),
      state: z.enum(['true', 'false', 'unknown']),
      reason: z.string(),
    }),
  ),
})

export const rowRemoval = z.object({
  name: z.string(),
  result: z.enum(['marked', 'removed']),
  message: z.string(),
})

/** `plural`: what rows are called. */
export function rowsOf(plural: string) {
  return z.object({ key: z.string(), refusal: z.optional(z.string()), [plural]: list(row) })
}
