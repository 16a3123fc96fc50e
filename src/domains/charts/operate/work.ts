/** What a verb is carried out with, and how it reads its payload. */
import { textMapOf } from '#clients/http/read.ts'
import type { Confinement } from '#domains/containers/confinement.ts'
import type { Payload } from '#domains/containers/payload.ts'
import type { Podman } from '#clients/podman/client.ts'
import { recordLabels, type Labels } from '#domains/containers/record.ts'
import type { Context, Outputs } from '#model/domain.ts'
import { Problem } from '#model/problem.ts'
import { settled } from '#model/value.ts'
import type { Memory } from '../memory.ts'

export type Job = {
  readonly podman: Podman
  readonly memory: Memory
  readonly payload: Payload
  readonly context: Context
  /** Of an application that is followed; by hand there is none. */
  readonly confinement?: Confinement
}

export type Work = (job: Job) => Promise<Outputs>

export function textsIn({ payload }: Job, field: string): readonly string[] | undefined {
  const value = payload[field]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined
}

/** Identity and record, as they go on the object. */
export function labelsIn({ payload }: Job): Labels {
  const record = recordLabels(settled(payload['record'] ?? null))
  return { ...textMapOf(payload['labels']), ...record }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof Problem && error.code === 'not_found'
}
