/** Volumes have no ids: whose the one is that has the name now is asked before it is removed. */
import { isOthers } from '../only-own.ts'
import { textIn } from '../payload.ts'
import type { EngineJob } from './job.ts'

/** Somebody else made one of the same name since it was looked at: it stays. */
export async function isTaken(job: EngineJob): Promise<boolean> {
  const { engine, payload, context } = job
  if (payload['owner'] === undefined) return false
  const labels = await engine.volumeLabels(textIn(job, 'name'), context.signal)
  return labels !== undefined && isOthers(payload, labels)
}
