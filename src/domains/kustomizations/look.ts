/** One look at one object's health: what its status says, and for workloads what their pods say, which is sooner. */
import { recordOf, textMapOf, textOf } from '#clients/http/read.ts'
import { getObject } from '#clients/kubernetes/objects.ts'
import { statusOf } from '#formats/kstatus/status.ts'
import type { Look } from '#model/domain.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Site } from './memory.ts'
import { podTrouble } from './pods.ts'

/** When nobody tells us of a change, ms. */
const again = 2000

export async function look(
  site: Site,
  ref: Ref,
  subject: Json,
  signal: AbortSignal,
): Promise<Look> {
  const { apiVersion, kind: kindName, namespace, name } = recordOf(subject)
  const kind = await site.discovery.need(textOf(apiVersion), textOf(kindName), signal)
  const place = { kind, namespace: textOf(namespace), name: textOf(name) }
  const object = await getObject(site.kubernetes, place, signal)
  if (object === undefined) return { state: 'failed', message: 'it is gone' }
  const { status, message } = statusOf(object, { now: site.clock.now(), variant: 'flux-job' })
  if (status === 'Current') return { state: 'ok', message }
  remember(site, ref, object)
  const trouble = hasPods(object) ? await podTrouble(site, object, signal) : undefined
  if (trouble !== undefined) return trouble
  if (status === 'Failed') return { state: 'failed', message }
  return { state: 'waiting', message, againIn: again }
}

const workloads = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'])

function hasPods(object: JsonRecord): boolean {
  return workloads.has(textOf(object['kind']))
}

/** So that what happens to its pods is heard as news of it. */
function remember(site: Site, ref: Ref, object: JsonRecord): void {
  if (!hasPods(object)) return
  const labels = textMapOf(recordOf(recordOf(recordOf(object['spec'])['selector'])['matchLabels']))
  const namespace = textOf(recordOf(object['metadata'])['namespace'])
  if (Object.keys(labels).length > 0) site.workloads.set(ref, { namespace, labels })
}
