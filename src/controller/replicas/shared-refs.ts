/** Where the refs of a repository are: one replica asks, the others hear of it. */
import { createHash } from 'node:crypto'
import type { Cause } from '#model/event.ts'
import { isRecord, type Json } from '#model/json.ts'
import { factsOf, Problem, problemOf, type ProblemFacts } from '#model/problem.ts'
import type { Metrics } from '#model/service.ts'
import type { Repo } from '../sources/repository-poller.ts'
import type { Peers } from './peers.ts'

type Refs = {
  readonly latest: Readonly<Record<string, string | null>>
  readonly problem: ProblemFacts | null
  /** Why the repository was asked. Earlier versions do not say it. */
  readonly cause?: Cause
}

type Asked = Pick<Repo, 'id' | 'repository'>

type Latest = ReadonlyMap<string, string | undefined>

export type SharedRefs = {
  latest(repo: Asked, refs: readonly string[], isPolled: boolean, cause: Cause): Promise<Latest>
  /** What another one heard. Gives whether it is about refs. */
  showed(key: string, body: Json | undefined): boolean
  /** Why the one asked that told last where the refs are. */
  causeOf(key: string): Cause | undefined
}

/** The same on every replica, and no address in it. */
export function dutyOf({ id }: Pick<Repo, 'id'>): string {
  return `repository ${createHash('sha256').update(id).digest('hex').slice(0, 16)}`
}

export function sharedRefs(
  peers: Pick<Peers, 'shown' | 'isOurs' | 'addressOf' | 'show'> | undefined,
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

  async function asked({ repository }: Asked, refs: readonly string[]): Promise<Latest> {
    metrics.count('tend_git_calls_total', { operation: 'latest' })
    return repository.latest(refs, stop)
  }

  function tell(key: string, news: Refs): void {
    if (sameText(known.get(key)) === sameText(news)) return
    known.set(key, news)
    peers?.show(key, JSON.parse(JSON.stringify(news)))
  }

  return {
    showed,
    causeOf: (key) => known.get(key)?.cause,
    async latest(repo, refs, isPolled, cause) {
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
        // a start is that of this replica alone
        const why = cause.trigger === 'start-up' ? {} : { cause }
        tell(key, { latest: all, problem: null, ...why })
        return latest
      } catch (thrown) {
        const problem = factsOf(problemOf(thrown))
        if (!stop.aborted) tell(key, { latest: heard?.latest ?? {}, problem })
        throw thrown
      }
    },
  }
}

/** The same news for another reason is no news. */
function sameText(refs: Refs | undefined): string {
  return JSON.stringify([refs?.latest, refs?.problem])
}

function covers({ latest, problem }: Refs, refs: readonly string[]): boolean {
  return problem !== null || refs.every((ref) => ref in latest)
}

function isRefs(body: unknown): body is Refs {
  return isRecord<Json>(body) && isRecord<Json>(body['latest'])
}
