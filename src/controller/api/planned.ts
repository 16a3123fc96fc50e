/** What a sync or a rollback would do, and of what: of what was read last, or of what the source has now. */
import {
  forgotten,
  noEarlierRun,
  noSuchRun,
  refuseWithoutPast,
  wasRefused,
} from '#kinds/past-problems.ts'
import { factsOf, Problem, problemOf } from '#model/problem.ts'
import type { Newest, Planned, PlanWanted } from '#model/service-views.ts'
import { livingRuns, pastOf, renderedAsItRan, runBefore, type Past } from '#store/past.ts'
import { keepUnproven } from '../guards/prune-guard.ts'
import { planFor } from '../monitor/detect-drift.ts'
import { kindFor, renderWhole, seedFor } from '../sources/desired-state.ts'
import { renderAhead } from '../sources/render-ahead.ts'
import { noSuchRef } from '../sources/no-such-ref.ts'
import { withKept } from '../sources/kept-snapshot.ts'
import type { Branch, Repo } from '../sources/repository-poller.ts'
import type { RepositoryRegistry } from '../sources/repository-registry.ts'
import type { RenderResult } from '../sources/render-result.ts'
import type { AppState } from '../state/app-state.ts'
import type { ServiceState } from '../state/service-state.ts'

/** A source that does not answer so long is taken for unreachable, ms. */
const patience = 10_000

export async function plannedFor(
  service: ServiceState,
  app: AppState,
  { back, newest, ...how }: PlanWanted,
  signal: AbortSignal,
): Promise<Planned> {
  if (app.monitor === undefined) throw new Problem(unplaced(app.key))
  const made = back === undefined ? await renderFor(service, app, newest) : undefined
  const rendered =
    made?.rendered ?? renderedAsItRan(await pastFor(service, app, back?.run), seedFor(service, app))
  // a run of it would be refused: nothing is known of what it declares
  const fault = rendered.problems.find(({ type }) => type === 'configuration')
  if (fault !== undefined) throw new Problem(fault)
  const whole = await keepUnproven(service, app, rendered)
  const plan = await planFor(service, app, whole, signal, how)
  return made === undefined
    ? { plan }
    : { plan, of: { revision: made.snapshot.revision, hash: made.hash } }
}

async function renderFor(
  service: ServiceState,
  app: AppState,
  newest: PlanWanted['newest'],
): Promise<RenderResult> {
  const isRead = newest === undefined || newest.revision === app.branch?.snapshot?.revision
  return isRead ? renderWhole(service, app) : renderAhead(service, app, newest)
}

/** Each repository is asked once, and nothing of it is taken over. */
export async function newestFor(
  registry: RepositoryRegistry,
  apps: readonly AppState[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Newest>> {
  const branches = new Set(apps.flatMap(({ branch }) => branch ?? []))
  const found = new Map<Branch, Newest>()
  const asked = [...registry.repos.values()].map(async (repo) => {
    const own = [...repo.branches.values()].filter((branch) => branches.has(branch))
    if (own.length === 0) return
    for (const [branch, newest] of await askNow(repo, own, signal)) found.set(branch, newest)
  })
  await Promise.all(asked)
  signal.throwIfAborted()
  return new Map(
    apps.map(({ key, branch }) => [key, (branch && found.get(branch)) ?? ({} satisfies Newest)]),
  )
}

async function askNow(
  { repository, branches: all }: Repo,
  branches: readonly Branch[],
  signal: AbortSignal,
): Promise<readonly (readonly [Branch, Newest])[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(patience)])
  const refs = [...all.keys()].filter((ref) => repository.refProblem?.(ref) === undefined)
  const latest = repository.latest(refs, limited)
  return Promise.all(
    branches.map(async (branch) => {
      const { ref, snapshot: read } = branch
      try {
        const revision = (await latest).get(ref)
        if (revision === undefined) {
          throw repository.refProblem?.(ref) ?? noSuchRef(ref, repository)
        }
        if (revision === read?.revision) return [branch, { snapshot: read }] as const
        return [branch, { snapshot: await repository.snapshot(revision, ref, limited) }] as const
      } catch (thrown) {
        const isLate = limited.aborted && !signal.aborted
        const problem = isLate ? late(repository.shown) : problemOf(thrown)
        return [branch, { unread: withKept(factsOf(problem), branch) }] as const
      }
    }),
  )
}

function late(shown: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'timed_out',
    message: `${shown} did not answer within ${patience / 1000} s`,
    suggestion: 'look whether it can be reached from where the service runs',
    recoverable: true,
  })
}

export async function pastFor(
  service: ServiceState,
  app: AppState,
  number: number | undefined,
): Promise<Past> {
  refuseWithoutPast(kindFor(service, app))
  const { application } = app
  const { store } = service.dependencies
  const runs = await livingRuns(application, store)
  const run = number === undefined ? runBefore(runs) : runs.find((one) => one.number === number)
  if (run === undefined && number !== undefined) throw noSuchRun(application, number, runs)
  if (run === undefined) throw noEarlierRun(application)
  if (run.outcome === 'refused') throw wasRefused(application, run.number)
  const past = await pastOf(application, run, store)
  if (past === undefined) throw forgotten(application, run.number)
  return past
}

export function unplaced(key: string): ConstructorParameters<typeof Problem>[0] {
  return { type: 'runtime', code: 'not_found', message: `it is not known where ${key} runs` }
}
