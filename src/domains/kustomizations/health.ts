/** What an object says of its own health: by the expressions of its set, where there are any for it, else by its kind's rules. */
import { metadataOf } from '#clients/kubernetes/place.ts'
import { numberOf, recordOf } from '#clients/http/read.ts'
import { statusOf } from '#formats/kstatus/status.ts'
import type { Look } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Site } from './memory.ts'

export function healthOf(site: Pick<Site, 'clock' | 'ways'>, object: JsonRecord): Look {
  const { status, message } = statusOf(object, { now: site.clock.now(), variant: 'flux-job' })
  if (status === 'Current') return { state: 'ok', message }
  return { state: status === 'Failed' ? 'failed' : 'waiting', message }
}

/** Whether its controller has seen the spec as it is now. */
export function isSeen(object: JsonRecord): boolean {
  const seen = recordOf(object['status'])['observedGeneration']
  return seen === undefined || numberOf(seen) === metadataOf(object).generation
}
