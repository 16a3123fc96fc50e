/** What is seen of all kustomizations, in every cluster and in every name that they are applied in. */
import type { ApiKind } from '#clients/kubernetes/discovery.ts'
import type { Line } from '#clients/kubernetes/clusters.ts'
import type { ApplyOptions } from '#domains/kustomizations/apply-options.ts'
import {
  createClusterCache,
  type ClusterCache,
  type SeenLook,
} from '#domains/kustomizations/observe/cluster-cache.ts'
import type { Owner } from '#domains/kustomizations/object.ts'
import { queueOf } from '#domains/kustomizations/look/event-queue.ts'
import { ownerOf } from '#model/application.ts'
import type { Health } from '#model/assessment.ts'
import type { Clock } from '#model/clock.ts'
import { problemOf } from '#model/problem.ts'
import type { News, Seen } from '#model/connection.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import type { LiveHealth } from './live-health.ts'

type KustomizationLists = {
  /** What this connection sees from now on. `owner` is an application that is applied over it. */
  of(line: Line, owner?: string): ClusterCache
  /** What is seen, by owner, once everything was seen over the first connection. The others are not waited for: they may lead nowhere. */
  apps(signal: AbortSignal): Promise<ReadonlyMap<string, Seen>>
  news(signal: AbortSignal): AsyncIterable<News>
  close(): void
}

/** What is known of the kustomizations themselves. */
type SetsKnown = {
  readonly optionsOf: (owner: Owner) => ApplyOptions
  /** Undefined: no object of it has a health that counts. */
  healthOf(
    owner: string,
    looks: readonly SeenLook[],
    signal: AbortSignal,
  ): Promise<LiveHealth | undefined>
}

type Look = {
  /** The objects of the whole cluster, as far as the rights allow it. */
  readonly cache: ClusterCache
  /** The objects of single namespaces, where the rights do not allow to see some kinds in the whole cluster. */
  readonly parts: Map<string, ClusterCache>
  readonly homes: Set<string>
  readonly kinds: Map<string, ApiKind>
  /** The plural names of the kinds that may be seen only in single namespaces. */
  readonly barred: Set<string>
  readonly listening: Promise<void>
}

type SetSeen = { readonly owner: Owner; readonly fingerprint: string }

const redial = 1_000

export function openKustomizationLists(
  clock: Clock,
  instance: string,
  sets: SetsKnown,
  lost: (plural: string, problem: unknown) => void,
): KustomizationLists {
  const ends = new AbortController()
  const looks = new Map<string, Look>()
  const lineOf = new Map<string, string>()
  const queue = queueOf<News>()
  /** When each owner is looked at again, ms. */
  const due = new Map<string, number>()

  function begin(line: Line): Look {
    const cache = createClusterCache(line.kubernetes, line.discovery, clock, sets.optionsOf)
    let heard = (): void => undefined
    const listening = new Promise<void>((resolve) => (heard = resolve))
    const look: Look = {
      cache,
      parts: new Map(),
      homes: new Set(),
      kinds: new Map(),
      barred: new Set(),
      listening,
    }
    void keep(cache, heard, (plural, problem) => {
      if (problemOf(problem).code !== 'forbidden') return lost(plural, problem)
      look.barred.add(plural)
      if (look.homes.size === 0) lost(plural, problem)
      else narrow(line, look)
    })
    return look
  }

  /** Kinds that may not be seen in the whole cluster are followed in the namespaces in which kustomizations have objects. */
  function narrow(line: Line, look: Look): void {
    const kinds = [...look.kinds.values()].filter(
      ({ plural, isNamespaced }) => isNamespaced && look.barred.has(plural),
    )
    if (kinds.length === 0) return
    for (const home of look.homes) {
      const known = look.parts.get(home)
      const part =
        known ?? createClusterCache(line.kubernetes, line.discovery, clock, sets.optionsOf, home)
      look.parts.set(home, part)
      if (known === undefined) void keep(part, () => undefined, lost)
      part.follow(kinds)
    }
  }

  async function keep(cache: ClusterCache, heard: () => void, barred: typeof lost): Promise<void> {
    const { signal } = ends
    while (!signal.aborted) {
      try {
        for await (const news of cache.watch(signal)) {
          if (news.kind === 'lost') {
            barred(news.plural, news.problem)
            // whether the cluster is there at all is told by a look
            if (problemOf(news.problem).code === 'unreachable') queue.put({ kind: 'listening' })
          } else if (news.kind === 'listening') {
            heard()
            queue.put({ kind: 'listening' })
          } else queue.put({ kind: 'changed', owner: named(news.owner), isSure: true })
        }
      } catch {
        // the look tells why
      }
      await sleepOrStop(clock, redial, signal)
    }
  }

  function named({ namespace, name }: Owner): string {
    return ownerOf(instance, { kind: 'kustomization', namespace, name })
  }

  return {
    of(line, owner) {
      if (owner !== undefined) lineOf.set(owner, line.key)
      const look = looks.get(line.key) ?? begin(line)
      looks.set(line.key, look)
      return {
        ...look.cache,
        kindsOf: (set) => cachesOf(look).flatMap((cache) => cache.kindsOf(set)),
        follow(kinds, homes = new Set()) {
          for (const kind of kinds) look.kinds.set(`${kind.apiVersion} ${kind.kind}`, kind)
          for (const home of homes) look.homes.add(home)
          look.cache.follow(kinds.filter(({ plural }) => !look.barred.has(plural)))
          narrow(line, look)
        },
      }
    },
    async apps(signal) {
      const [first] = looks.values()
      if (first !== undefined) await within(signal, first.listening)
      const apps = new Map<string, Seen>()
      for (const [key, look] of looks) {
        for (const [text, { owner, fingerprint }] of fingerprintsOf(look)) {
          const isElsewhere = (lineOf.get(text) ?? key) !== key
          if (isElsewhere) continue
          const looks = cachesOf(look).flatMap((cache) => cache.looks(owner))
          const health = await sets.healthOf(text, looks, signal)
          apps.set(text, seenAs(fingerprint, looks, health?.health))
          if (health?.againIn !== undefined) lookAgain(text, health.againIn)
        }
      }
      return apps
    },
    news: (signal) => queue.read(signal),
    close: () => ends.abort(),
  }

  /** The fingerprint of each owner; its objects may be in several namespaces. */
  function fingerprintsOf(look: Look): ReadonlyMap<string, SetSeen> {
    const prints = new Map<string, SetSeen>()
    for (const { owner, fingerprint } of cachesOf(look).flatMap((cache) => cache.sets())) {
      const text = named(owner)
      const known = prints.get(text)?.fingerprint
      prints.set(text, {
        owner,
        fingerprint: known === undefined ? fingerprint : `${known} ${fingerprint}`,
      })
    }
    return prints
  }

  /** Looks again after a while: health may change by time alone, and pods are not watched. */
  function lookAgain(owner: string, after: number): void {
    const at = clock.now() + after
    if ((due.get(owner) ?? Infinity) <= at) return
    due.set(owner, at)
    void sleepOrStop(clock, after, ends.signal).then(() => {
      if (due.get(owner) !== at) return
      due.delete(owner)
      queue.put({ kind: 'changed', owner, isSure: true })
    })
  }
}

function cachesOf({ cache, parts }: Look): readonly ClusterCache[] {
  return [cache, ...parts.values()]
}

/** As containers count the pods that the workloads of the kustomization have ready. */
function seenAs(fingerprint: string, looks: readonly SeenLook[], health: Health | undefined): Seen {
  const sum = (of: 'running' | 'total') => looks.reduce((all, { pods }) => all + pods[of], 0)
  const containers = { running: sum('running'), total: sum('total') }
  const about = { since: undefined, mark: undefined, containers, fingerprint }
  return health === undefined ? about : { ...about, health }
}

async function within(signal: AbortSignal, work: Promise<unknown>): Promise<void> {
  signal.throwIfAborted()
  await Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    }),
  ])
}
