/** Where the refs of a repository are: one replica asks, the others hear of it. */
import { createHash } from 'node:crypto'
import { isRecord, type Json } from '#model/json.ts'
import { factsOf, Problem, problemOf, type ProblemFacts } from '#model/problem.ts'
import type { Metrics } from '#model/service.ts'
import type { Repo } from '../sources/repository-poller.ts'
import type { Peers } from './peers.ts'

type Refs = {
  readonly latest: Readonly<Record<string, string | null>>
  readonly problem: ProblemFacts | null
}

type Latest = ReadonlyMap<string, string | undefined>

export type SharedRefs = {
  latest(repo: Repo, refs: readonly string[], isPolled: boolean): Promise<Latest>
  /** What another one heard. Gives whether it is about refs. */
  showed(key: string, body: Json | undefined): boolean
}

/** The same on every replica, and no address in it. */
export function dutyOf({ id }: Pick<Repo, 'id'>): string {
  return `repository ${createHash('sha256').update(id).digest('hex').slice(0, 16)}`
}

export function sharedRefs(
  peers: Peers | undefined,
  { metrics, stop }: { readonly metrics: Metrics; readonly stop: AbortSignal },
): SharedRefs {
  const known = new Map<string, Refs>()
  for (const [key, body] of peers?.shown ?? []) showed(key, body)

  function showed(key: string, body: Json | undefined): boolean {
    if (!key.startsWith('repository ')) return false
    if (isRefs(body)) known.set(key, body)
    else known.delete(key)
    return true
  }

  async function asked({ repository }: Repo, refs: readonly string[]): Promise<Latest> {
    metrics.count('tend_git_calls_total', { operation: 'latest' })
    return repository.latest(refs, stop)
  }

  function tell(key: string, news: Refs): void {
    if (JSON.stringify(known.get(key)) === JSON.stringify(news)) return
    known.set(key, news)
    peers?.show(key, JSON.parse(JSON.stringify(news)))
  }

  return {
    showed,
    async latest(repo, refs, isPolled) {
      // folders and tables are those of this machine
      const isShared = repo.repository.comesFrom !== undefined
      if (peers === undefined || !isShared) return asked(repo, refs)
      const key = dutyOf(repo)
      const heard = known.get(key)
      const isOthers = !peers.isOurs(key) && peers.addressOf(key) !== undefined
      if (isPolled && isOthers && heard !== undefined && covers(heard, refs)) {
        if (heard.problem !== null) throw new Problem(heard.problem)
        return new Map(refs.map((ref) => [ref, heard.latest[ref] ?? undefined]))
      }
      try {
        const latest = await asked(repo, refs)
        const all = Object.fromEntries(refs.map((ref) => [ref, latest.get(ref) ?? null]))
        tell(key, { latest: all, problem: null })
        return latest
      } catch (thrown) {
        const problem = factsOf(problemOf(thrown))
        if (!stop.aborted) tell(key, { latest: heard?.latest ?? {}, problem })
        throw thrown
      }
    },
  }
}

function covers({ latest, problem }: Refs, refs: readonly string[]): boolean {
  return problem !== null || refs.every((ref) => ref in latest)
}

function isRefs(body: unknown): body is Refs {
  return isRecord<Json>(body) && isRecord<Json>(body['latest'])
}
