/** What a verb is carried out with, and how it reads its payload. */
import type { Docker } from '#clients/docker/client.ts'
import { factsOf, type EngineFacts } from '#clients/docker/system.ts'
import { recordLabels, type Labels } from '#engine/record.ts'
import type { Context, Outputs } from '#model/domain.ts'
import { Problem } from '#model/problem.ts'
import { settled, type Value } from '#model/value.ts'
import { textsIn } from '../expand/operation.ts'
import { label } from '../labels.ts'
import type { Memory } from '../memory.ts'

export type Job = {
  readonly docker: Docker
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

/** Identity and record, as they go on the object. */
export function labelsIn({ payload }: Job): Labels {
  return { ...textsIn(payload['labels']), ...recordLabels(settled(payload['record'] ?? null)) }
}

/** Whether an object that is there is the very one that an earlier attempt made. */
export function isSameObject(found: Labels, wanted: Labels): boolean {
  return [label.owner, label.ref, label.hash].every((name) => found[name] === wanted[name])
}

export function saysThat(error: unknown, pattern: RegExp): boolean {
  return error instanceof Problem && pattern.test(error.message)
}

/** Asked once. A failure is forgotten, so that the next one asks again. */
export function factsIn(docker: Docker, memory: Memory, signal: AbortSignal): Promise<EngineFacts> {
  memory.facts ??= factsOf(docker, signal).catch((error: unknown) => {
    delete memory.facts
    throw error
  })
  return memory.facts
}
