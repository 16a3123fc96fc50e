/** What a verb is carried out with, and how it reads its payload. */
import type { Podman } from '#clients/podman/client.ts'
import { recordLabels, type Labels } from '#engine/record.ts'
import type { Context, Outputs } from '#model/domain.ts'
import { isRecord, type Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { settled, type Value } from '#model/value.ts'
import { label } from '../labels.ts'
import type { Memory } from '../memory.ts'
import { fieldsOf } from '../spec-of.ts'

export type Job = {
  readonly podman: Podman
  readonly memory: Memory
  readonly payload: { readonly [key: string]: Value }
  readonly context: Context
}

export type Work = (job: Job) => Promise<Outputs>

export function textIn({ payload }: Job, field: string): string {
  const value = payload[field]
  if (typeof value !== 'string') throw new TypeError(`${field} is no text`)
  return value
}

export function numberIn({ payload }: Job, field: string): number {
  const value = payload[field]
  if (typeof value !== 'number') throw new TypeError(`${field} is no number`)
  return value
}

export function textsIn({ payload }: Job, field: string): readonly string[] | undefined {
  const value = payload[field]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined
}

/** Identity and record, as they go on the object. */
export function labelsIn({ payload }: Job): Labels {
  const labels: Record<string, string> = {}
  for (const [name, value] of Object.entries(fieldsOf(payload['labels']))) {
    if (typeof value === 'string') labels[name] = value
  }
  return { ...labels, ...recordLabels(settled(payload['record'] ?? null)) }
}

/** Whether an object that is there is the very one that an earlier attempt made. */
export function isSameObject(found: Labels, wanted: Labels): boolean {
  return (
    found[label.owner] === wanted[label.owner] &&
    found[label.ref] === wanted[label.ref] &&
    found[label.hash] === wanted[label.hash]
  )
}

export function labelsOf(value: Json | undefined): Labels {
  if (!isRecord<Json>(value)) return {}
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

export function isNotFound(error: unknown): boolean {
  return error instanceof Problem && error.code === 'not_found'
}

export function saysThat(error: unknown, pattern: RegExp): boolean {
  return error instanceof Problem && pattern.test(error.message)
}
