/** Why the pods of a workload can't become ready, told long before the workload itself gives up. */
import { recordOf, recordsOf, textMapOf, textOf } from '#model/read-json.ts'
import { listObjects } from '#clients/kubernetes/list.ts'
import { lastLogLines } from '#clients/kubernetes/logs.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import type { Look } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { SetContext } from '../memory.ts'
import { lastRestartIn, podTroubleOf, type PodTrouble } from './pod-problem.ts'
import { isOf } from './watch.ts'

const shownLines = 10

/** The first that is in trouble for good, else the first that is in trouble; `againIn`: until that is for good. */
export async function podTrouble(
  context: SetContext,
  workload: JsonRecord,
  isApplied: boolean,
  signal: AbortSignal,
): Promise<Look | undefined> {
  const { uid } = metadataOf(workload)
  const pods = workload['kind'] === 'Pod' ? [workload] : await podsOf(context, workload, signal)
  const troubles = pods.map(podTroubleOf).filter((one) => one !== undefined)
  const isNew = troubles.length === 0 ? undefined : await newnessOf(context, workload, signal)
  const ofNew = troubles.filter(({ pod }) => isNew?.(pod))
  const known = context.troubles.get(uid)
  const now = new Map(ofNew.map((one) => [keyOf(one), since(one)]))
  if (now.size === 0) context.troubles.delete(uid)
  else context.troubles.set(uid, now)
  const lasting = ofNew.map((trouble) => ({ trouble, left: leftOf(trouble) }))
  const [worst] = lasting.toSorted((one, other) => one.left - other.left)
  if (worst === undefined) return undefined
  const { trouble, left } = worst
  const details = await detailsOf(context, trouble, signal)
  const { restarts: restartCount, exitCode } = trouble
  const about = { message: wordsOf(trouble), details, restartCount, exitCode }
  if (left === 0) return { ...about, state: 'failed' }
  return { ...about, state: 'waiting', ...(left === Infinity ? {} : { againIn: left }) }

  /** What this run applied is measured from its first sign, everything else from the pod's beginning. */
  function since(trouble: PodTrouble): number {
    const created = Date.parse(textOf(recordOf(trouble.pod['metadata'])['creationTimestamp']))
    return known?.get(keyOf(trouble)) ?? (isApplied ? context.clock.now() : created)
  }

  function leftOf(trouble: PodTrouble): number {
    const lasted = context.clock.now() - (now.get(keyOf(trouble)) ?? 0)
    return Math.max(0, trouble.grace - lasted)
  }
}

/** Of what is well again: how often a container of it was started anew, and how it ended last. That is worth no failure. */
export async function withRestarts(
  context: SetContext,
  workload: JsonRecord,
  signal: AbortSignal,
  health: Look,
): Promise<Look> {
  const pods = workload['kind'] === 'Pod' ? [workload] : await podsOf(context, workload, signal)
  const last = lastRestartIn(pods)
  if (last === undefined) return health
  const { pod, container, reason, restarts, exitCode } = last
  const how = `${reason}${exitCode === undefined ? '' : ` (exit code ${exitCode})`}`
  const message = `pod ${metadataOf(pod).name}, container ${container}: ${how}, restarts: ${restarts}`
  return { ...health, message, restartCount: restarts, exitCode }
}

/** A pull that failed and the pause after it are one trouble. */
function keyOf({ pod, container = '', grace }: PodTrouble): string {
  return `${metadataOf(pod).uid} ${container} ${grace}`
}

function wordsOf({ pod, container, reason, message }: PodTrouble): string {
  const where = container === undefined ? '' : `, container ${container}`
  return `pod ${metadataOf(pod).name}${where}: ${reason}${message === '' ? '' : `: ${message}`}`
}

/** As the watch has them, where there is one. */
async function podsOf(
  context: SetContext,
  workload: JsonRecord,
  signal: AbortSignal,
): Promise<readonly JsonRecord[]> {
  const { namespace } = metadataOf(workload)
  const wanted = textMapOf(recordOf(recordOf(workload['spec'])['selector'])['matchLabels'])
  const labels = selectorText(wanted)
  if (labels === '') return []
  const watched = context.pods.get(namespace)
  const found =
    watched === undefined
      ? await listPods(context, namespace, labels, signal)
      : [...watched.values()].filter((pod) => isOf(pod, namespace, wanted))
  return found.filter((pod) => !metadataOf(pod).isDeleting)
}

async function listPods(
  context: SetContext,
  namespace: string,
  labels: string,
  signal: AbortSignal,
): Promise<readonly JsonRecord[]> {
  const kind = await context.discovery.need('v1', 'Pod', signal)
  return (await listObjects(context.kubernetes, kind, { namespace, labels }, signal)).objects
}

/** Those of the template as it is now: what an old pod does says nothing about the new ones. */
async function newnessOf(
  context: SetContext,
  workload: JsonRecord,
  signal: AbortSignal,
): Promise<(pod: JsonRecord) => boolean> {
  if (workload['kind'] === 'Pod') return () => true
  if (workload['kind'] === 'Deployment') {
    const selector = recordOf(recordOf(workload['spec'])['selector'])
    const labels = selectorText(textMapOf(selector['matchLabels']))
    const hash = await newestTemplate(context, workload, labels, signal)
    return (pod) => hash !== undefined && metadataOf(pod).labels['pod-template-hash'] === hash
  }
  const { uid } = metadataOf(workload)
  const revision = textOf(recordOf(workload['status'])['updateRevision'])
  const isBound = workload['kind'] === 'StatefulSet' && revision !== ''
  return (pod) => {
    const isNewest = metadataOf(pod).labels['controller-revision-hash'] === revision
    return isOwnedBy(pod, uid) && (!isBound || isNewest)
  }
}

const revisionKey = 'deployment.kubernetes.io/revision'

async function newestTemplate(
  context: SetContext,
  deployment: JsonRecord,
  labels: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { namespace, uid, annotations } = metadataOf(deployment)
  const kind = await context.discovery.need('apps/v1', 'ReplicaSet', signal)
  const { objects } = await listObjects(context.kubernetes, kind, { namespace, labels }, signal)
  const newest = objects.find((set) => {
    return (
      isOwnedBy(set, uid) && metadataOf(set).annotations[revisionKey] === annotations[revisionKey]
    )
  })
  return newest === undefined ? undefined : metadataOf(newest).labels['pod-template-hash']
}

function isOwnedBy(object: JsonRecord, uid: string): boolean {
  const owners = recordsOf(recordOf(object['metadata'])['ownerReferences'])
  return owners.some((owner) => owner['uid'] === uid)
}

/** The last log lines of the pod, or its last events. That neither can be read is no failure. */
async function detailsOf(
  context: SetContext,
  trouble: PodTrouble,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { pod, container = '', reason, restarts } = trouble
  const key = [metadataOf(pod).uid, container, reason, restarts].join(' ')
  const known = context.lastLines.get(key)
  if (known !== undefined) return known
  const lines = await linesOf(context, trouble, signal)
  if (lines.length > 0) context.lastLines.set(key, lines)
  return lines
}

async function linesOf(
  context: SetContext,
  { pod, container, hasRun, isPrevious }: PodTrouble,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { namespace, name } = metadataOf(pod)
  const nothing = (): readonly string[] => []
  if (hasRun && container !== undefined) {
    const asked = { namespace, name, container, lines: shownLines, isPrevious }
    const lines = await lastLogLines(context.kubernetes, asked, signal).catch(nothing)
    if (lines.length > 0) return lines
  }
  const lines = await eventLines(context, namespace, name, signal).catch(nothing)
  signal.throwIfAborted()
  return lines
}

async function eventLines(
  context: SetContext,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const kind = await context.discovery.need('v1', 'Event', signal)
  const selection = { namespace, fields: `involvedObject.name=${name}` }
  const { objects } = await listObjects(context.kubernetes, kind, selection, signal)
  return objects.slice(-shownLines).map((event) => {
    return `${textOf(event['reason'])}: ${textOf(event['message'])}`
  })
}

function selectorText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
}
