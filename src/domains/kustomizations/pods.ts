/** Why the pods of a workload can't become ready, told long before the workload itself gives up. */
import { numberOf, recordOf, recordsOf, textMapOf, textOf } from '#clients/http/read.ts'
import { listObjects } from '#clients/kubernetes/list.ts'
import { lastLogLines } from '#clients/kubernetes/logs.ts'
import { metadataOf } from '#clients/kubernetes/place.ts'
import type { Look } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Site } from './memory.ts'

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
}

export async function podTrouble(
  site: Site,
  workload: JsonRecord,
  signal: AbortSignal,
): Promise<Look | undefined> {
  const pods = await newestPods(site, workload, signal)
  for (const pod of pods) {
    const trouble = troubleOf(pod, site.clock.now())
    if (trouble === undefined) continue
    const { name } = metadataOf(pod)
    const where = trouble.container === undefined ? '' : `, container ${trouble.container}`
    const message = `pod ${name}${where}: ${trouble.reason}${trouble.message === '' ? '' : `: ${trouble.message}`}`
    return { state: 'failed', message, details: await detailsOf(site, trouble, signal) }
  }
  return undefined
}

/** Those of the template as it is now: what an old pod does says nothing about the new ones. */
async function newestPods(
  site: Site,
  workload: JsonRecord,
  signal: AbortSignal,
): Promise<readonly JsonRecord[]> {
  const { namespace, uid } = metadataOf(workload)
  const selector = recordOf(recordOf(workload['spec'])['selector'])
  const labels = selectorText(textMapOf(selector['matchLabels']))
  if (labels === '') return []
  const kind = await site.discovery.need('v1', 'Pod', signal)
  const { objects } = await listObjects(site.kubernetes, kind, { namespace, labels }, signal)
  const living = objects.filter((pod) => !metadataOf(pod).isDeleting)
  if (workload['kind'] === 'Deployment') {
    const hash = await newestTemplate(site, workload, labels, signal)
    return living.filter((pod) => metadataOf(pod).labels['pod-template-hash'] === hash)
  }
  const own = living.filter((pod) => isOwnedBy(pod, uid))
  const revision = textOf(recordOf(workload['status'])['updateRevision'])
  if (workload['kind'] !== 'StatefulSet' || revision === '') return own
  return own.filter((pod) => metadataOf(pod).labels['controller-revision-hash'] === revision)
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
  'ErrImageNeverPull',
  'InvalidImageName',
  'CreateContainerError',
  'RunContainerError',
])

export function troubleOf(pod: JsonRecord, now: number): Trouble | undefined {
  const status = recordOf(pod['status'])
  for (const list of ['initContainerStatuses', 'containerStatuses']) {
    for (const container of recordsOf(status[list])) {
      const waiting = recordOf(recordOf(container['state'])['waiting'])
      const reason = textOf(waiting['reason'])
      if (!hopeless.has(reason)) continue
      const ended = recordOf(recordOf(container['lastState'])['terminated'])
      const code =
        ended['exitCode'] === undefined ? '' : ` (exit code ${numberOf(ended['exitCode'])})`
      const hasRun = reason === 'CrashLoopBackOff'
      const message = `${textOf(waiting['message'])}${code}`.trim()
      return { pod, container: textOf(container['name']), reason, message, hasRun }
    }
  }
  return unschedulable(pod, now)
}

function unschedulable(pod: JsonRecord, now: number): Trouble | undefined {
  const conditions = recordsOf(recordOf(pod['status'])['conditions'])
  const found = conditions.find(({ type, status, reason }) => {
    return type === 'PodScheduled' && status === 'False' && reason === 'Unschedulable'
  })
  const created = Date.parse(textOf(recordOf(pod['metadata'])['creationTimestamp']))
  if (found === undefined || now - created < schedulingTime) return undefined
  return { pod, reason: 'Unschedulable', message: textOf(found['message']), hasRun: false }
}

/** Its last words, or what the cluster says of it. Neither is worth failing for. */
async function detailsOf(
  site: Site,
  trouble: Trouble,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { pod, container, hasRun } = trouble
  const { namespace, name } = metadataOf(pod)
  try {
    if (hasRun && container !== undefined) {
      const asked = { namespace, name, container, lines: shownLines, isPrevious: true }
      const lines = await lastLogLines(site.kubernetes, asked, signal)
      if (lines.length > 0) return lines
    }
    const kind = await site.discovery.need('v1', 'Event', signal)
    const selection = { namespace, fields: `involvedObject.name=${name}` }
    const { objects } = await listObjects(site.kubernetes, kind, selection, signal)
    return objects.slice(-shownLines).map((event) => {
      return `${textOf(event['reason'])}: ${textOf(event['message'])}`
    })
  } catch {
    signal.throwIfAborted()
    return []
  }
}

function selectorText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
}
