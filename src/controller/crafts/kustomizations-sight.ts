/** What is seen of all kustomizations, in every cluster and in every name that they are applied in. */
import type { Line } from '#clients/kubernetes/clusters.ts'
import { clusterSight, type ClusterSight } from '#domains/kustomizations/cluster-sight.ts'
import type { Owner } from '#domains/kustomizations/object.ts'
import { queueOf } from '#domains/kustomizations/queue.ts'
import { ownerOf } from '#model/application.ts'
import type { Clock } from '#model/clock.ts'
import type { News, Seen } from '../craft.ts'

export type KustomizationsSight = {
  /** Seen over this line from now on; `owner`: this one is applied over it. */
  of(line: Line, owner?: string): ClusterSight
  /** By owner, when everything was seen once over the first line: no other is waited for, it may lead nowhere. */
  apps(signal: AbortSignal): Promise<ReadonlyMap<string, Seen>>
  news(signal: AbortSignal): AsyncIterable<News>
  close(): void
}

type Look = { readonly sight: ClusterSight; readonly listening: Promise<void> }

const redial = 1_000

export function kustomizationsSight(
  clock: Clock,
  instance: string,
  lost: (plural: string, problem: unknown) => void,
): KustomizationsSight {
  const ends = new AbortController()
  const looks = new Map<string, Look>()
  const lineOf = new Map<string, string>()
  const queue = queueOf<News>()

  function begin(line: Line): Look {
    const sight = clusterSight(line.kubernetes, line.discovery, clock)
    let heard = (): void => undefined
    const listening = new Promise<void>((resolve) => (heard = resolve))
    void keep(sight, heard)
    return { sight, listening }
  }

  async function keep(sight: ClusterSight, heard: () => void): Promise<void> {
    const { signal } = ends
    while (!signal.aborted) {
      try {
        for await (const news of sight.watch(signal)) {
          if (news.kind === 'lost') lost(news.plural, news.problem)
          else if (news.kind === 'listening') {
            heard()
            queue.put({ kind: 'listening' })
          } else queue.put({ kind: 'changed', owner: named(news.owner), isSure: true })
        }
      } catch {
        // the look tells why
      }
      await clock.sleep(redial, signal).catch(() => undefined)
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
      return look.sight
    },
    async apps(signal) {
      const [first] = looks.values()
      if (first !== undefined) await within(signal, first.listening)
      const apps = new Map<string, Seen>()
      for (const [key, { sight }] of looks) {
        for (const { owner, fingerprint } of sight.sets()) {
          const text = named(owner)
          const isElsewhere = (lineOf.get(text) ?? key) !== key
          if (!isElsewhere) apps.set(text, seenAs(fingerprint))
        }
      }
      return apps
    },
    news: (signal) => queue.read(signal),
    close: () => ends.abort(),
  }
}

function seenAs(fingerprint: string): Seen {
  const containers = { running: 0, total: 0 }
  return { since: undefined, mark: undefined, containers, fingerprint }
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
