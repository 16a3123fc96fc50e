/** What one target remembers between looks and calls: only what can't become wrong, or what a later look corrects. */
import { randomBytes } from 'node:crypto'
import type { ApiKind, Discovery } from '#clients/kubernetes/discovery.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import type { Clock } from '#model/clock.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Place } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { ClusterCache } from './observe/cluster-cache.ts'
import type { ObjectName, Owner } from './object.ts'
import type { ServerMarks } from './observe/server-fingerprint.ts'
import type { Claims, ApplyOptions } from './apply-options.ts'

/** That an apply of this very spec would change nothing on an object that looks like this, on a server that is as it was. */
type Settled = { readonly spec: string; readonly marks: string; readonly server: string }

type Workload = {
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
}

export type SetMemory = {
  /** For digests of secrets that are seen. */
  readonly salt: string
  readonly settled: Map<Ref, Settled>
  /** By kind, the newest version of an object that is known: what is older tells nothing of the set. */
  readonly newest: Map<string, number>
  /** By uid, what is known to be gone: whoever still shows it is behind. */
  readonly gone: Set<string>
  /** What was to be removed and could not be seen: no later run knows of it. */
  readonly missed: Set<Ref>
  /** By the uid of a workload: what its pods are in trouble with, and since when, ms. */
  readonly troubles: Map<string, ReadonlyMap<string, number>>
}

export function setMemory(): SetMemory {
  return {
    salt: randomBytes(8).toString('hex'),
    settled: new Map(),
    newest: new Map(),
    gone: new Set(),
    missed: new Set(),
    troubles: new Map(),
  }
}

/** So that no older answer is taken for how it is. `key`: of its kind. */
export function learn({ newest }: SetMemory, key: string, object: JsonRecord): void {
  newest.set(key, Math.max(newest.get(key) ?? 0, versionOf(metadataOf(object).resourceVersion)))
}

const mostGone = 1_000

export function forget({ gone }: SetMemory, uid: string): void {
  const [oldest] = gone
  if (gone.size >= mostGone && oldest !== undefined) gone.delete(oldest)
  gone.add(uid)
}

/** Versions of one kind can be compared; what is no number is older than all. */
export function versionOf(text: string): number {
  const version = Number(text)
  return Number.isSafeInteger(version) ? version : 0
}

export type SetContext = SetMemory & {
  readonly kubernetes: Kubernetes
  readonly discovery: Discovery
  readonly clock: Clock
  readonly owner: Owner
  readonly options: ApplyOptions
  readonly inventory: readonly ObjectName[] | undefined
  readonly clusterCache: Pick<ClusterCache, 'kindsOf' | 'follow' | 'seen'> | undefined
  readonly serverMarks: ServerMarks | undefined
  readonly claims?: Claims | undefined
  readonly isAbandoned?: SetContextParts['isAbandoned']
  readonly ownedObjects?: SetContextParts['ownedObjects']
  readonly placeOf?: SetContextParts['placeOf']
  /** What the server does to applied objects by itself, as it was at the last look: its version, its webhooks, its definitions. */
  server: string
  /** Objects as they were when they were last looked at: what an undo goes back to. With secrets, so only here. */
  readonly before: Map<Ref, JsonRecord>
  /** What the server answered to our last apply: nothing older than that says how it is now. */
  readonly applied: Map<Ref, JsonRecord>
  /** Whole answers to applies that nobody looked at yet: the first look. */
  readonly answers: Map<Ref, JsonRecord>
  /** What this run took away to make it anew. */
  readonly removed: Set<Ref>
  /** What was not there before this run. */
  readonly created: Set<Ref>
  /** The kinds that the last look found to be of account. */
  readonly kinds: Map<string, ApiKind>
  /** What watches see now, while there are any: objects of the set, and pods by namespace and uid. */
  readonly live: Map<Ref, JsonRecord>
  readonly pods: Map<string, ReadonlyMap<string, JsonRecord>>
  /** Of a namespace whose pods are of account from now on. */
  onWorkload: (namespace: string) => void
  /** Of a kind of which something is not well yet: from now on it is watched. */
  onWaiting: (kind: ApiKind) => void
  /** What pods belong to, by the labels that they must have. */
  readonly workloads: Map<Ref, Workload>
  /** What the log or the events said of a container in trouble: asked once for each restart. */
  readonly lastLines: Map<string, readonly string[]>
}

type SetContextParts = {
  readonly kubernetes: Kubernetes
  readonly discovery: Discovery
  readonly clock: Clock
  readonly owner: Owner
  readonly options: ApplyOptions
  readonly inventory?: readonly ObjectName[] | undefined
  readonly clusterCache?: Pick<ClusterCache, 'kindsOf' | 'follow' | 'seen'> | undefined
  readonly serverMarks?: ServerMarks | undefined
  readonly claims?: Claims | undefined
  /** Of a set that goes: another one that went, too, and whose objects that both declared go with this one. */
  readonly isAbandoned?: ((other: Owner) => boolean) | undefined
  /** All that may be removed; unset: whatever bears the labels of the set. */
  readonly ownedObjects?: (() => Promise<ReadonlySet<Ref>>) | undefined
  /** Where the field stands that a server complains about, in the file that declares the object. */
  readonly placeOf?:
    | ((origin: Place, kind: string, message: string) => Promise<Place | undefined>)
    | undefined
  readonly memory: SetMemory
}

export function setContextOf(parts: SetContextParts): SetContext {
  const { memory, inventory, clusterCache, serverMarks, ...rest } = parts
  const empty = {
    server: '',
    before: new Map(),
    applied: new Map(),
    answers: new Map(),
    removed: new Set<Ref>(),
    created: new Set<Ref>(),
    kinds: new Map(),
    live: new Map(),
    pods: new Map(),
    onWorkload: () => undefined,
    onWaiting: () => undefined,
    workloads: new Map(),
    lastLines: new Map(),
  }
  return { ...rest, inventory, clusterCache, serverMarks, ...memory, ...empty }
}
