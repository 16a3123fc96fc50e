/** What happens to this kustomization's objects and to the pods behind them, as it happens: one watch a kind. */
import type { ApiKind } from '#clients/kubernetes/discovery.ts'
import type { Selection } from '#clients/kubernetes/list.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { watchObjects, type WatchEvent } from '#clients/kubernetes/watch.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import { isImmediate } from '../apply-stages.ts'
import type { SetContext } from '../memory.ts'
import { keyOfKind } from '../observe/managed-kinds.ts'
import { nameOfObject, ownerSelector, refOfObject } from '../object.ts'
import { queueOf } from './event-queue.ts'
import { checkedNames } from '../apply-options.ts'

/** Ends only when it is told to. Says '' when it is listening, and after each break. A kind of which all is well is not watched. */
export async function* watch(context: SetContext, signal: AbortSignal): AsyncIterable<Ref> {
  const queue = queueOf<Ref>()
  const all: Promise<void>[] = []
  const own: Selection = { labels: ownerSelector(context.owner) }
  const followed = new Set<string>()
  context.onWaiting = (kind) => {
    const key = keyOfKind(kind)
    if (followed.has(key) || signal.aborted || !isWatchable(context, kind)) return
    followed.add(key)
    all.push(follow(kind, own))
  }
  for (const name of checkedNames(context.options)) {
    // a kind that can't be found has no events: its objects are looked at by time
    const kind = await context.discovery
      .find(name.apiVersion, name.kind, signal)
      .catch(() => undefined)
    if (kind === undefined) continue
    const space = kind.isNamespaced ? { namespace: name.namespace } : {}
    all.push(follow(kind, { fields: `metadata.name=${name.name}`, ...space }))
  }
  // without its events an object is looked at by time
  const pods = await context.discovery.find('v1', 'Pod', signal).catch(() => undefined)
  const spaces = new Set<string>()
  context.onWorkload = (namespace) => {
    if (pods === undefined || spaces.has(namespace) || signal.aborted) return
    spaces.add(namespace)
    all.push(followPods(pods, namespace))
  }
  for (const { namespace } of context.workloads.values()) context.onWorkload(namespace)
  try {
    yield* queue.read(signal)
  } finally {
    context.onWorkload = () => undefined
    context.onWaiting = () => undefined
    await Promise.all(all)
    context.live.clear()
    context.pods.clear()
  }

  /** A kind that may not be watched costs speed and nothing else: what waits for it looks by the clock. */
  async function follow(kind: ApiKind, selection: Selection): Promise<void> {
    const known = new Set<Ref>()
    await each(kind, selection, (event) => {
      if (event.kind === 'lost' || event.kind === 'listed') {
        for (const ref of known) context.live.delete(ref)
        known.clear()
      }
      if (event.kind === 'lost') return
      for (const object of event.kind === 'listed' ? event.objects : [event.object]) {
        const ref = refOfObject(nameOfObject(object))
        if (event.kind === 'removed') context.live.delete(ref)
        else context.live.set(ref, object)
        known.add(ref)
        if (event.kind !== 'listed') queue.put(ref)
      }
      if (event.kind === 'listed') queue.put('')
    })
    for (const ref of known) context.live.delete(ref)
  }

  async function followPods(kind: ApiKind, namespace: string): Promise<void> {
    const seen = new Map<string, JsonRecord>()
    await each(kind, { namespace }, (event) => {
      if (event.kind === 'lost') return void context.pods.delete(namespace)
      if (event.kind === 'listed') seen.clear()
      for (const pod of event.kind === 'listed' ? event.objects : [event.object]) {
        const { uid } = metadataOf(pod)
        if (event.kind === 'removed') seen.delete(uid)
        else seen.set(uid, pod)
        if (event.kind !== 'listed') tellOfPod(pod)
      }
      context.pods.set(namespace, seen)
      if (event.kind === 'listed') queue.put('')
    })
    context.pods.delete(namespace)
  }

  function tellOfPod(pod: JsonRecord): void {
    for (const [ref, { namespace, labels }] of context.workloads) {
      if (isOf(pod, namespace, labels)) queue.put(ref)
    }
  }

  async function each(
    kind: ApiKind,
    selection: Selection,
    take: (event: WatchEvent) => void,
  ): Promise<void> {
    const watching = { clock: context.clock, signal }
    try {
      for await (const event of watchObjects(context.kubernetes, kind, selection, watching))
        take(event)
    } catch {
      // ended, or not allowed
    }
  }
}

/** Kinds that are well from the moment they are stored need nobody's eye. */
function isWatchable(
  { options }: SetContext,
  { verbs, group, kind, apiVersion }: ApiKind,
): boolean {
  if (!verbs.includes('watch')) return false
  const bare = { apiVersion, group, kind, namespace: '', name: '' }
  return !isImmediate(bare) || (options.healthCheckExprs ?? []).length > 0
}

export function isOf(
  pod: JsonRecord,
  namespace: string,
  wanted: Readonly<Record<string, string>>,
): boolean {
  const { namespace: home, labels } = metadataOf(pod)
  return home === namespace && Object.entries(wanted).every(([key, value]) => labels[key] === value)
}
