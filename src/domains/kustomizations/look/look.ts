/** One look at one object's health: what its status says, and for workloads what their pods say, which is sooner. */
import { recordOf, textMapOf, textOf } from '#model/read-json.ts'
import type { ApiKind } from '#clients/kubernetes/discovery.ts'
import { getObject } from '#clients/kubernetes/objects.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import type { Look } from '#model/domain.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import { waitsForConsumer } from './unbound-claims.ts'
import { healthOf, isSeen } from './health.ts'
import type { SetContext } from '../memory.ts'
import { podTrouble, withRestarts } from './pods.ts'

/** When nobody tells us of a change, ms. */
const again = 2000
/** With a watch on it, only time itself can change the answer: it lasted for long enough. */
const rarely = 10_000

export async function look(
  context: SetContext,
  ref: Ref,
  subject: Json,
  signal: AbortSignal,
): Promise<Look> {
  const { apiVersion, kind: kindName, namespace, name, isOthers, hasLapsed } = recordOf(subject)
  const seen = watched(context, ref)
  const object = seen ?? answered(context, ref) ?? (await asked())
  const againIn = seen === undefined ? again : rarely
  if (object === undefined) {
    if (isOthers === true) return { state: 'waiting', message: 'it is not there yet', againIn }
    return { state: 'failed', message: 'it is gone' }
  }
  const health = healthOf(context, object)
  if (health.state === 'ok') {
    return hasLapsed === true && hasPods(object)
      ? withRestarts(context, object, signal, health)
      : health
  }
  // who asks to wait gets what Flux does: it waits until the claim is bound
  const isPatient = health.state === 'waiting' && context.options.isWaitUnset === true
  if (isPatient && (await waitsForConsumer(context, object, signal))) {
    return { state: 'ok', message: 'it is bound when a pod uses it' }
  }
  if (seen === undefined) await startWatching()
  remember(context, ref, object)
  const trouble =
    hasPods(object) && isSeen(object)
      ? await podTrouble(context, object, context.applied.has(ref), signal)
      : undefined
  if (trouble?.state === 'failed') return trouble
  // of a pod its trouble is the better judge: the rules of its kind know no patience
  if (health.state === 'failed' && (trouble === undefined || !isPod(object))) return health
  const next = Math.min(trouble?.againIn ?? againIn, againIn)
  return { ...(trouble ?? health), againIn: next }

  async function startWatching(): Promise<void> {
    const kind = await kindOf()
    if (kind !== undefined) context.onWaiting(kind)
  }

  function kindOf(): Promise<ApiKind | undefined> {
    return context.discovery.find(textOf(apiVersion), textOf(kindName), signal)
  }

  async function asked(): Promise<JsonRecord | undefined> {
    const kind = await kindOf()
    if (kind === undefined) return undefined
    const place = { kind, namespace: textOf(namespace), name: textOf(name) }
    return getObject(context.kubernetes, place, signal)
  }
}

/** As the watch has it, unless what we applied is newer. */
function watched(context: SetContext, ref: Ref): JsonRecord | undefined {
  const seen = context.live.get(ref)
  const applied = context.applied.get(ref)
  if (seen === undefined || applied === undefined) return seen
  const [now, then] = [metadataOf(seen), metadataOf(applied)]
  if (now.uid !== then.uid) return undefined
  if (now.generation !== then.generation) return now.generation > then.generation ? seen : undefined
  return Number(now.resourceVersion) >= Number(then.resourceVersion) ? seen : undefined
}

/** The first look at what was just applied is the answer to that. */
function answered(context: SetContext, ref: Ref): JsonRecord | undefined {
  const answer = context.answers.get(ref)
  context.answers.delete(ref)
  return answer
}

const workloads = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'])

function hasPods(object: JsonRecord): boolean {
  return workloads.has(textOf(object['kind'])) || isPod(object)
}

function isPod({ apiVersion, kind }: JsonRecord): boolean {
  return apiVersion === 'v1' && kind === 'Pod'
}

/** So that what happens to its pods is heard as news of it. */
function remember(context: SetContext, ref: Ref, object: JsonRecord): void {
  if (!hasPods(object)) return
  const labels = textMapOf(recordOf(recordOf(recordOf(object['spec'])['selector'])['matchLabels']))
  const namespace = textOf(recordOf(object['metadata'])['namespace'])
  if (Object.keys(labels).length === 0 || context.workloads.has(ref)) return
  context.workloads.set(ref, { namespace, labels })
  context.onWorkload(namespace)
}
