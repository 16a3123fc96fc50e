/** Where a page of a list ended, as a text that its reader hands back unread. */
import type { Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import * as z from 'zod/mini'

export function cursorText(place: Json): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

export function readCursor<Place extends z.ZodMiniType>(
  schema: Place,
  cursor: string,
): z.output<Place> {
  try {
    return z.parse(schema, JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch (cause) {
    throw new Problem({
      type: 'validation',
      code: 'bad_value',
      message: 'cursor in the query: it is none that a page gave',
      suggestion: 'use `next` of the page before, or begin without a cursor',
      cause,
    })
  }
}
