/** What a verb of a stack is carried out with. */
import type { Docker } from '#clients/docker/client.ts'
import { factsOf, type EngineFacts } from '#clients/docker/system.ts'
import type { EngineJob, OperationHandler } from '#domains/containers/operate/job.ts'
import type { Memory } from '../memory.ts'

export { labelsForNew, labelsIn } from '#domains/containers/operate/job.ts'

/** The port does what all engines can; the calls that only Docker's API has are made on `docker`. */
export type Job = EngineJob & { readonly docker: Docker; readonly memory: Memory }

export type StackHandler = OperationHandler<Job>

/** Asked once. A failure is forgotten, so that the next one asks again. */
export function factsIn(docker: Docker, memory: Memory, signal: AbortSignal): Promise<EngineFacts> {
  memory.facts ??= factsOf(docker, signal).catch((error: unknown) => {
    delete memory.facts
    throw error
  })
  return memory.facts
}
