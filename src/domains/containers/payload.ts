/** How a verb reads its payload, and the answers to it. */
import { recordLabel, type Labels } from './record.ts'
import { Problem } from '#model/problem.ts'
import type { Value } from '#model/value.ts'

export type Payload = { readonly [key: string]: Value }

type Carrier = { readonly payload: Payload }

export function textIn({ payload }: Carrier, field: string): string {
  const value = payload[field]
  if (typeof value !== 'string') throw new TypeError(`${field} is no text`)
  return value
}

export function numberIn({ payload }: Carrier, field: string): number {
  const value = payload[field]
  if (typeof value !== 'number') throw new TypeError(`${field} is no number`)
  return value
}

/** Whether an object that is there is the very one that an earlier attempt made. */
export function isSameObject(found: Labels, wanted: Labels): boolean {
  const { owner, ref, hash } = recordLabel
  return [owner, ref, hash].every((name) => found[name] === wanted[name])
}

export function saysThat(error: unknown, pattern: RegExp): boolean {
  return error instanceof Problem && pattern.test(error.message)
}
