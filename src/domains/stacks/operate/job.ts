/** What a verb is carried out with, and how it reads its payload. */
import type { Confinement } from '#domains/containers/confinement.ts'
import type { Payload } from '#domains/containers/payload.ts'
import type { Docker } from '#clients/docker/client.ts'
import { factsOf, type EngineFacts } from '#clients/docker/system.ts'
import { recordLabels, type Labels } from '#domains/containers/record.ts'
import type { Context, Outputs } from '#model/domain.ts'
import { settled } from '#model/value.ts'
import { textsIn } from '../expand/operation.ts'
import type { Memory } from '../memory.ts'

export type Job = {
  readonly docker: Docker
  readonly memory: Memory
  readonly payload: Payload
  readonly context: Context
  /** Of an application that is followed; by hand there is none. */
  readonly confinement?: Confinement
}

export type Work = (job: Job) => Promise<Outputs>

/** Identity and record, as they go on the object. */
export function labelsIn({ payload }: Job): Labels {
  return { ...textsIn(payload['labels']), ...recordLabels(settled(payload['record'] ?? null)) }
}

/** Asked once. A failure is forgotten, so that the next one asks again. */
export function factsIn(docker: Docker, memory: Memory, signal: AbortSignal): Promise<EngineFacts> {
  memory.facts ??= factsOf(docker, signal).catch((error: unknown) => {
    delete memory.facts
    throw error
  })
  return memory.facts
}
