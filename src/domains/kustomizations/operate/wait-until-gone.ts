/** Waits until an object that was deleted is gone, by watching it, or says who holds it. */
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { type ObjectPlace } from '#clients/kubernetes/api-path.ts'
import { recordOf, textsOf } from '#model/read-json.ts'
import type { Clock } from '#model/clock.ts'
import type { JsonRecord } from '#model/json.ts'
import { untilObject } from './wait-for-object.ts'

/** Undefined: it is gone. Else what holds it when the time, ms, was over. */
export async function gone(
  parts: { readonly kubernetes: Kubernetes; readonly clock: Clock },
  place: ObjectPlace,
  uid: string,
  limit: number,
  signal: AbortSignal,
  report: (held: string) => void = () => undefined,
): Promise<string | undefined> {
  let held = 'it is ending'
  const isGone = (live: JsonRecord | undefined): boolean => {
    if (live === undefined || metadataOf(live).uid !== uid) return true
    held = heldBy(live)
    report(held)
    return false
  }
  return (await untilObject(parts, place, isGone, limit, signal)) ? undefined : held
}

export function heldBy(live: JsonRecord): string {
  const holders = textsOf(recordOf(live['metadata'])['finalizers'])
  return holders.length === 0 ? 'it is ending' : `held by its finalizers ${holders.join(', ')}`
}
