/** What a verb of a chart is carried out with, and how it reads its payload. */
import type { Podman } from '#clients/podman/client.ts'
import type { EngineJob, OperationHandler } from '#domains/containers/operate/job.ts'
import type { Memory } from '../memory.ts'

export { labelsForNew, labelsIn } from '#domains/containers/operate/job.ts'

/** The port does what all engines can; libpod's own calls are made on `podman`. */
export type Job = EngineJob & { readonly podman: Podman; readonly memory: Memory }

export type ChartHandler = OperationHandler<Job>

export function textsIn({ payload }: Job, field: string): readonly string[] | undefined {
  const value = payload[field]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined
}
