/** Why the pods of a workload can't become ready, told long before the workload itself gives up. */
import { numberOf, recordOf, recordsOf, textMapOf, textOf } from '#clients/http/read.ts'
import { listObjects } from '#clients/kubernetes/list.ts'
import { lastLogLines } from '#clients/kubernetes/logs.ts'
import { metadataOf } from '#clients/kubernetes/place.ts'
import type { Look } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Site } from './memory.ts'
import { isOf } from './watch.ts'

/** A new node may be on its way, ms. */
const schedulingTime = 15_000
const shownLines = 10

type Trouble = {
  readonly pod: JsonRecord
  readonly container?: string
  readonly reason: string
  readonly message: string
  /** It ran and ended: what it said last is of interest. */
  readonly hasRun: boolean
  /** It was begun again since. */
  readonly isPrevious: boolean
}

/** The first that is in trouble, where one is. */
export async function podTrouble(
  site: Site,
  workload: JsonRecord,
  signal: AbortSignal,
): Promise<Look | undefined> {
  const now = site.clock.now()
  const pods = await podsOf(site, workload, signal)
  const troubles = pods.map((pod) => troubleOf(pod, now)).filter((one) => one !== undefined)
  if (troubles.length === 0) return undefined
  const isNew = await newnessOf(site, workload, signal)
  const trouble = troubles.find(({ pod }) => isNew(pod))
  if (trouble === undefined) return undefined
  const { name } = metadataOf(trouble.pod)
  const where = trouble.container === undefined ? '' : `, container ${trouble.container}`
  const message = `pod ${name}${where}: ${trouble.reason}${trouble.message === '' ? '' : `: ${trouble.message}`}`
  return { state: 'failed', message, details: await detailsOf(site, trouble, signal) }
}

/** As the watch has them, where there is one. */
async function podsOf(
  site: Site,
  workload: JsonRecord,
  signal: AbortSignal,
): Promise<readonly JsonRecord[]> {
  const { namespace } = metadataOf(workload)
  const wanted = textMapOf(recordOf(recordOf(workload['spec'])['selector'])['matchLabels'])
  const labels = selectorText(wanted)
  if (labels === '') return []
  const watched = site.pods.get(namespace)
  const found =
    watched === undefined
      ? await listPods(site, namespace, labels, signal)
      : [...watched.values()].filter((pod) => isOf(pod, namespace, wanted))
  return found.filter((pod) => !metadataOf(pod).isDeleting)
}

async function listPods(
  site: Site,
  namespace: string,
  labels: string,
  signal: AbortSignal,
): Promise<readonly JsonRecord[]> {
  const kind = await site.discovery.need('v1', 'Pod', signal)
  return (await listObjects(site.kubernetes, kind, { namespace, labels }, signal)).objects
}

/** Those of the template as it is now: what an old pod does says nothing about the new ones. */
async function newnessOf(
  site: Site,
  workload: JsonRecord,
  signal: AbortSignal,
): Promise<(pod: JsonRecord) => boolean> {
  if (workload['kind'] === 'Deployment') {
    const selector = recordOf(recordOf(workload['spec'])['selector'])
    const labels = selectorText(textMapOf(selector['matchLabels']))
    const hash = await newestTemplate(site, workload, labels, signal)
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
  site: Site,
  deployment: JsonRecord,
  labels: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { namespace, uid, annotations } = metadataOf(deployment)
  const kind = await site.discovery.need('apps/v1', 'ReplicaSet', signal)
  const { objects } = await listObjects(site.kubernetes, kind, { namespace, labels }, signal)
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

const hopeless = new Set([
  'CrashLoopBackOff',
  'ImagePullBackOff',
  'ErrImagePull',
  'ErrImageNeverPull',
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
])

export function troubleOf(pod: JsonRecord, now: number): Trouble | undefined {
  const status = recordOf(pod['status'])
  for (const list of ['initContainerStatuses', 'containerStatuses']) {
    for (const container of recordsOf(status[list])) {
      const state = recordOf(container['state'])
      const waiting = recordOf(state['waiting'])
      const reason = textOf(waiting['reason'])
      const name = textOf(container['name'])
      if (hopeless.has(reason)) {
        const hasRun = reason === 'CrashLoopBackOff'
        const ended = exitText(recordOf(recordOf(container['lastState'])['terminated']))
        const message = `${textOf(waiting['message'])}${ended}`.trim()
        return { pod, container: name, reason, message, hasRun, isPrevious: hasRun }
      }
      const ended = recordOf(state['terminated'])
      if (list === 'initContainerStatuses' && hasFailedForGood(pod, ended)) {
        const message = `${textOf(ended['message'])}${exitText(ended)}`.trim()
        const about = { pod, container: name, message, hasRun: true, isPrevious: false }
        return { ...about, reason: textOf(ended['reason']) || 'Error' }
      }
    }
  }
  return unschedulable(pod, now)
}

/** An init container that is not started again. */
function hasFailedForGood(pod: JsonRecord, ended: JsonRecord): boolean {
  return numberOf(ended['exitCode']) !== 0 && recordOf(pod['spec'])['restartPolicy'] === 'Never'
}

function exitText({ exitCode }: JsonRecord): string {
  return exitCode === undefined ? '' : ` (exit code ${numberOf(exitCode)})`
}

function unschedulable(pod: JsonRecord, now: number): Trouble | undefined {
  const conditions = recordsOf(recordOf(pod['status'])['conditions'])
  const found = conditions.find(({ type, status, reason }) => {
    return type === 'PodScheduled' && status === 'False' && reason === 'Unschedulable'
  })
  const created = Date.parse(textOf(recordOf(pod['metadata'])['creationTimestamp']))
  if (found === undefined || now - created < schedulingTime) return undefined
  return { pod, reason: 'Unschedulable', message: textOf(found['message']), ...never }
}

const never = { hasRun: false, isPrevious: false } as const

/** Its last words, or what the cluster says of it. Neither is worth failing for. */
async function detailsOf(
  site: Site,
  trouble: Trouble,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { pod, container, hasRun, isPrevious } = trouble
  const { namespace, name } = metadataOf(pod)
  const nothing = (): readonly string[] => []
  if (hasRun && container !== undefined) {
    const asked = { namespace, name, container, lines: shownLines, isPrevious }
    const lines = await lastLogLines(site.kubernetes, asked, signal).catch(nothing)
    if (lines.length > 0) return lines
  }
  const lines = await eventLines(site, namespace, name, signal).catch(nothing)
  signal.throwIfAborted()
  return lines
}

async function eventLines(
  site: Site,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const kind = await site.discovery.need('v1', 'Event', signal)
  const selection = { namespace, fields: `involvedObject.name=${name}` }
  const { objects } = await listObjects(site.kubernetes, kind, selection, signal)
  return objects.slice(-shownLines).map((event) => {
    return `${textOf(event['reason'])}: ${textOf(event['message'])}`
  })
}

function selectorText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
}
