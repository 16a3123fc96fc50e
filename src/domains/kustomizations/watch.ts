/** What happens to this kustomization's objects and to the pods behind them, as it happens: one watch a kind. */
import type { ApiKind } from '#clients/kubernetes/discovery.ts'
import type { Selection } from '#clients/kubernetes/list.ts'
import { metadataOf } from '#clients/kubernetes/place.ts'
import { watchObjects, type WatchEvent } from '#clients/kubernetes/watch.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Site } from './memory.ts'
import { nameOfObject, ownerSelector, refOfObject } from './object.ts'

/** Ends only when it is told to. Says '' when it is listening, and after each break. */
export async function* watch(site: Site, signal: AbortSignal): AsyncIterable<Ref> {
  const queue: Ref[] = []
  let wake = (): void => undefined
  const tell = (ref: Ref) => {
    queue.push(ref)
    wake()
  }
  const own: Selection = { labels: ownerSelector(site.owner), isMetadataOnly: true }
  const watches = [...site.kinds.values()]
    .filter(({ verbs }) => verbs.includes('watch'))
    .map((kind) => follow(site, kind, own, signal, (event) => tellOfObject(event, tell)))
  const pods = await site.discovery.find('v1', 'Pod', signal).catch(() => undefined)
  if (pods !== undefined) {
    watches.push(follow(site, pods, {}, signal, (event) => tellOfPod(site, event, tell)))
  }
  const all = Promise.all(watches)
  try {
    while (!signal.aborted) {
      const next = queue.shift()
      if (next !== undefined) yield next
      else await new Promise<void>((resolve) => ((wake = resolve), onAbort(signal, resolve)))
    }
  } finally {
    await all
  }
}

function onAbort(signal: AbortSignal, wake: () => void): void {
  if (signal.aborted) wake()
  else signal.addEventListener('abort', wake, { once: true })
}

/** A kind that may not be watched costs speed and nothing else: what waits for it looks by the clock. */
async function follow(
  site: Site,
  kind: ApiKind,
  selection: Selection,
  signal: AbortSignal,
  take: (event: WatchEvent) => void,
): Promise<void> {
  try {
    for await (const event of watchObjects(site.kubernetes, kind, selection, {
      clock: site.clock,
      signal,
    })) {
      take(event)
    }
  } catch {
    // ended, or not allowed
  }
}

function tellOfObject(event: WatchEvent, tell: (ref: Ref) => void): void {
  if (event.kind === 'listed') tell('')
  else if (event.kind !== 'lost') tell(refOfObject(nameOfObject(event.object)))
}

function tellOfPod(site: Site, event: WatchEvent, tell: (ref: Ref) => void): void {
  if (event.kind === 'listed' || event.kind === 'lost') return
  for (const [ref, { namespace, labels }] of site.workloads) {
    if (isOf(event.object, namespace, labels)) tell(ref)
  }
}

function isOf(
  pod: JsonRecord,
  namespace: string,
  wanted: Readonly<Record<string, string>>,
): boolean {
  const { namespace: home, labels } = metadataOf(pod)
  return home === namespace && Object.entries(wanted).every(([key, value]) => labels[key] === value)
}
