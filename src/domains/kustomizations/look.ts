/** One look at one object's health: what its status says, and for workloads what their pods say, which is sooner. */
import { recordOf, textMapOf, textOf } from '#clients/http/read.ts'
import { getObject } from '#clients/kubernetes/objects.ts'
import type { Look } from '#model/domain.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import { healthOf } from './health.ts'
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
  const { apiVersion, kind: kindName, namespace, name, isOthers } = recordOf(subject)
  const kind = await site.discovery.need(textOf(apiVersion), textOf(kindName), signal)
  const place = { kind, namespace: textOf(namespace), name: textOf(name) }
  const object = await getObject(site.kubernetes, place, signal)
  if (object === undefined) {
    if (isOthers === true)
      return { state: 'waiting', message: 'it is not there yet', againIn: again }
    return { state: 'failed', message: 'it is gone' }
  }
  const health = healthOf(site, object)
  if (health.state === 'ok') return health
  remember(site, ref, object)
  const trouble = hasPods(object) ? await podTrouble(site, object, signal) : undefined
  if (trouble !== undefined) return trouble
  return health.state === 'failed' ? health : { ...health, againIn: again }
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
