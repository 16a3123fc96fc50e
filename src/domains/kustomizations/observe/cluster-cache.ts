/** All objects of all sets of a cluster, kept in one cache: there is one list and one watch for each kind, and all sets share them. */
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { ApiKind, Discovery } from '#clients/kubernetes/discovery.ts'
import { listObjects, type Selection } from '#clients/kubernetes/list.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { watchObjects, type WatchEvent } from '#clients/kubernetes/watch.ts'
import type { Clock } from '#model/clock.ts'
import { hashOf, type JsonRecord } from '#model/json.ts'
import { problemOf, type Problem } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import { forEachConcurrently } from '../for-each-concurrently.ts'
import type { Look } from '#model/domain.ts'
import type { ApplyOptions } from '../apply-options.ts'
import { isCopy, isListable, keyOfKind } from './managed-kinds.ts'
import {
  hasHealth,
  isSame,
  ownerIn,
  ownerText,
  seenObject,
  withLapse,
  type Mark,
} from './seen-object.ts'
import { versionOf } from '../memory.ts'
import { nameOfObject, ownerName, refOfObject, type Owner } from '../object.ts'
import { queueOf } from '../look/event-queue.ts'

export type OwnerNews =
  /** Everything there is was seen: fingerprints tell. */
  | { readonly kind: 'listening' }
  | { readonly kind: 'changed'; readonly owner: Owner }
  /** Of one kind nothing is heard for now; it is tried again, unless its kind is gone from the cluster. */
  | { readonly kind: 'lost'; readonly plural: string; readonly problem: Problem }

export type ClusterCache = {
  /** For one reader. Ends only by its signal. */
  watch(signal: AbortSignal): AsyncIterable<OwnerNews>
  /** All sets: another fingerprint whenever an object of one came, went, or was changed in a way that may be drift. */
  sets(): readonly { readonly owner: Owner; readonly fingerprint: string }[]
  /** How each object of the owner is by what it says itself; objects of kinds that are well once they are there are left out. */
  looks(owner: Owner): readonly SeenLook[]
  /** The kinds of which the owner has objects. */
  kindsOf(owner: Owner): readonly ApiKind[]
  /** From now on these are watched too; those that are already cost nothing. `homes`: where the set lives, for who may look only there. */
  follow(kinds: readonly ApiKind[], homes?: ReadonlySet<string>): void
  /** What there is of the owner, not older than a version that is known; undefined when nothing so new is heard in a moment. */
  seen(
    owner: Owner,
    kind: ApiKind,
    notOlderThan: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Ref, Glimpse> | undefined>
}

/** `object`: its metadata without managed fields, which are in the marks. */
export type Glimpse = { readonly object: JsonRecord; readonly marks: string }

export type SeenLook = Pick<Mark, 'object' | 'pods' | 'lapse'> & {
  readonly ref: Ref
  readonly look: Look
}

type Field = {
  readonly kind: ApiKind
  marks: Map<Ref, Mark>
  /** Nothing is missing up to this version. */
  version: number
  isHeard: boolean
  /** Nothing more will be heard. */
  isOver: boolean
  /** Told of whatever is heard. */
  readonly waiting: Set<() => void>
}

/** How long news that must be on their way are waited for, ms, before one asks oneself. */
const moment = 1_000

const width = 16
export function createClusterCache(
  kubernetes: Kubernetes,
  discovery: Discovery,
  clock: Clock,
  /** How health is judged in a set: it may have expressions of its own. */
  optionsOf: (owner: Owner) => ApplyOptions,
  /** Only here: for who may not look at a whole cluster. */
  namespace?: string,
): ClusterCache {
  const isWhole = namespace === undefined
  const entryOf = (object: JsonRecord) => seenObject(object, clock, optionsOf)
  const here = isWhole ? {} : { namespace }
  const named: Selection = { labels: ownerName, isMetadataOnly: true, ...here }
  const fields = new Map<string, Field>()
  const queue = queueOf<OwnerNews>()
  /** By owner, while nothing of his changes. */
  const prints = new Map<string, string>()
  const unheard = new Set<Field>()
  let running: AbortSignal | undefined
  let isListening = false
  let hasExplored = false

  function begin(kind: ApiKind, signal: AbortSignal): void {
    const key = keyOfKind(kind)
    if (fields.has(key) || !kind.verbs.includes('watch')) return
    const waiting = new Set<() => void>()
    const field: Field = {
      kind,
      marks: new Map(),
      version: 0,
      isHeard: false,
      isOver: false,
      waiting,
    }
    fields.set(key, field)
    unheard.add(field)
    void listen(field, signal).finally(() => {
      field.isHeard = false
      field.isOver = true
      for (const tell of waiting) tell()
      // with its kind all objects of it went; who makes it again has it followed again
      fields.delete(key)
      heard(field)
      tellOf([...field.marks.values()])
    })
  }

  async function listen(field: Field, signal: AbortSignal): Promise<void> {
    const { kind } = field
    // only what has a health is read whole; of secrets nothing but names is ever read
    const owned = { ...named, isMetadataOnly: !hasHealth(kind) }
    try {
      for await (const event of watchObjects(kubernetes, kind, owned, { clock, signal })) {
        take(field, event)
        for (const tell of field.waiting) tell()
      }
    } catch (error) {
      if (signal.aborted) return
      queue.put({ kind: 'lost', plural: kind.plural, problem: problemOf(error) })
    }
  }

  function take(field: Field, event: WatchEvent): void {
    field.isHeard = event.kind !== 'lost'
    if (event.kind === 'lost') {
      queue.put({ kind: 'lost', plural: field.kind.plural, problem: event.problem })
    } else if (event.kind === 'listed') {
      const before = field.marks
      field.version = versionOf(event.resourceVersion)
      field.marks = new Map(event.objects.map(entryOf).filter((entry) => entry !== undefined))
      const changed = [...union(before, field.marks)].filter((ref) => {
        return !isSame(before.get(ref), field.marks.get(ref))
      })
      tellOf(changed.flatMap((ref) => [before.get(ref) ?? [], field.marks.get(ref) ?? []].flat()))
      heard(field)
    } else {
      const { resourceVersion } = metadataOf(event.object)
      field.version = Math.max(field.version, versionOf(resourceVersion))
      note(field, event.object, event.kind === 'removed')
    }
  }

  function note(field: Field, object: JsonRecord, isGone: boolean): void {
    const entry = entryOf(object)
    const ref = refOfObject(nameOfObject(object))
    const before = field.marks.get(ref)
    const now = isGone || entry === undefined ? undefined : withLapse(before, entry[1], clock.now())
    if (now === undefined) field.marks.delete(ref)
    else field.marks.set(ref, now)
    if (isSame(before, now)) return
    tellOf([before ?? [], now ?? []].flat())
  }

  async function caughtUp(field: Field, version: number, signal: AbortSignal): Promise<boolean> {
    const isNew = () => field.isHeard && field.version >= version
    if (isNew()) return true
    const over = new AbortController()
    const tell = () => {
      if (isNew() || field.isOver) over.abort()
    }
    field.waiting.add(tell)
    await sleepOrStop(clock, moment, AbortSignal.any([signal, over.signal]))
    field.waiting.delete(tell)
    signal.throwIfAborted()
    return isNew()
  }

  function tellOf(marks: readonly Mark[]): void {
    for (const owner of new Set(marks.map((mark) => mark.owner))) {
      prints.delete(owner)
      if (isListening) queue.put({ kind: 'changed', owner: ownerIn(owner) })
    }
  }

  function heard(field: Field): void {
    if (unheard.delete(field) && hasExplored) settle()
  }

  function settle(): void {
    if (unheard.size > 0 || isListening) return
    isListening = true
    queue.put({ kind: 'listening' })
  }

  /** Which kinds have objects of anybody: asked once, for all kinds that there are. */
  async function explore(signal: AbortSignal): Promise<void> {
    const listable = (await discovery.preferred(signal)).filter(isListable)
    const all = listable.filter(({ isNamespaced }) => isWhole || isNamespaced)
    await forEachConcurrently(width, all, async (kind) => {
      // a kind that can't be listed is looked at again when it is declared
      const listed = await listObjects(kubernetes, kind, named, signal).catch(() => undefined)
      if (listed?.objects.some((object) => !isCopy(object)) === true) begin(kind, signal)
    })
    hasExplored = true
    settle()
  }

  return {
    async *watch(signal) {
      running = signal
      try {
        await explore(signal)
        yield* queue.read(signal)
      } finally {
        running = undefined
        isListening = hasExplored = false
      }
    },
    sets() {
      const lines = new Map<string, string[]>()
      for (const { marks } of fields.values()) {
        for (const [ref, { owner, mark }] of marks) {
          const known = lines.get(owner) ?? []
          if (known.push(`${ref} ${mark}`) === 1) lines.set(owner, known)
        }
      }
      return [...lines].map(([owner, all]) => {
        const fingerprint = prints.get(owner) ?? hashOf(all.toSorted())
        prints.set(owner, fingerprint)
        return { owner: ownerIn(owner), fingerprint }
      })
    },
    looks(owner) {
      const text = ownerText(owner)
      return [...fields.values()].flatMap(({ marks }) =>
        [...marks].flatMap(([ref, { owner: whose, look, ...about }]) =>
          whose === text && look !== undefined ? { ...about, ref, look } : [],
        ),
      )
    },
    kindsOf(owner) {
      const text = ownerText(owner)
      return [...fields.values()]
        .filter(({ marks }) => [...marks.values()].some((mark) => mark.owner === text))
        .map(({ kind }) => kind)
    },
    async seen(owner, kind, notOlderThan, signal) {
      const field = fields.get(keyOfKind(kind))
      if (field === undefined || !(await caughtUp(field, notOlderThan, signal))) return undefined
      const text = ownerText(owner)
      const own = [...field.marks].filter(([, mark]) => mark.owner === text)
      return new Map(own.map(([ref, { object, mark: marks }]) => [ref, { object, marks }]))
    },
    follow(kinds) {
      if (running === undefined) return
      for (const kind of kinds) begin(kind, running)
    },
  }
}

function union(one: ReadonlyMap<Ref, unknown>, other: ReadonlyMap<Ref, unknown>): Set<Ref> {
  return new Set([...one.keys(), ...other.keys()])
}
