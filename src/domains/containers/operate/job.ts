/** What a verb on an engine of containers is carried out with. */
import { textMapOf } from '#model/read-json.ts'
import type { ContainerEngine, Labels } from '#model/container-engine.ts'
import type { Context, Outputs } from '#model/domain.ts'
import type { Operation } from '#model/plan.ts'
import { isLater, isSealed, settled, type Value } from '#model/value.ts'
import { isRecord } from '#model/json.ts'
import type { Confinement } from '../confinement.ts'
import type { EngineMemory } from '../memory.ts'
import type { Payload } from '../payload.ts'
import { generationLabels, recordLabels, sourceLabel } from '../record.ts'
import { openedTexts } from '../sealed-text.ts'

export type EngineJob = {
  readonly engine: ContainerEngine
  readonly memory: EngineMemory
  readonly payload: Payload
  readonly context: Context
  /** Of an application that is followed; by hand there is none. */
  readonly confinement?: Confinement
}

export type OperationHandler<Job> = (job: Job) => Promise<Outputs>

/** The work behind a verb, and what it reads of the payload, with texts that hold a secret opened. */
export function workOf<Job>(
  verbs: Readonly<Record<string, OperationHandler<Job>>>,
  { verb, payload }: Operation,
  context: Context,
): { readonly work: OperationHandler<Job>; readonly fields: Payload } {
  const work = Object.entries(verbs).find(([name]) => name === verb)?.[1]
  if (work === undefined) throw new TypeError(`no such operation: ${verb}`)
  const opened = openedTexts(payload, context)
  return { work, fields: isFields(opened) ? opened : {} }
}

function isFields(value: Value): value is Payload {
  return isRecord<Value>(value) && !isSealed(value) && !isLater(value)
}

/** Identity and record, as they go on the object. */
export function labelsIn({ payload }: { readonly payload: Payload }): Labels {
  const record = recordLabels(settled(payload['record'] ?? null))
  return { ...textMapOf(payload['labels']), ...record }
}

/** What goes on an object that is made: beside `labelsIn` the generation and the source, which no comparison reads. */
export function labelsForNew(job: {
  readonly payload: Payload
  readonly context: Pick<Context, 'generation'>
  readonly confinement?: Pick<Confinement, 'source'>
}): Labels {
  const { source } = job.confinement ?? {}
  const from = source === undefined ? {} : { [sourceLabel]: source }
  return { ...labelsIn(job), ...generationLabels(job.context.generation), ...from }
}
