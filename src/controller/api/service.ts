/** What others ask of the service, and how it answers. */
import { Problem } from '#model/problem.ts'
import type { Cause } from '#model/event.ts'
import type {
  AppStatus,
  Expected,
  Pushed,
  Service,
  ServiceEvent,
  SyncAnswer,
} from '#model/service.ts'
import { recentOf } from '#store/past.ts'
import { forget, remember, type ServiceState } from '../state/service-state.ts'
import { polled, type Branch, type Repo } from '../sources/repository-poller.ts'
import { otherThanExpected, refuseOtherRevision } from '../guards/expected.ts'
import { newestFor, pastFor, plannedFor, unplaced } from './planned.ts'
import { logsOf } from './logs-of.ts'
import { resourcesOf } from './resources.ts'
import { isCommit, isSameRef } from '../sources/pushed-ref.ts'
import type { TargetMonitor } from '../monitor/target-monitor.ts'
import { isSameRepository } from '../sources/same-repository.ts'
import type { Scheduler } from '../run/scheduler.ts'
import type { RepositoryRegistry } from '../sources/repository-registry.ts'
import {
  addAsk,
  addIdleListener,
  setCause,
  setComingAsks,
  type AppState,
} from '../state/app-state.ts'
import type { Ask } from '../state/ask.ts'
import { isSuspended } from '../decide/app-status.ts'
import { refuseDeclared, refuseGone, refuseSuspended } from './refusals.ts'
import type { Shared } from '../replicas/share-service.ts'
import { HeldElsewhere } from '#model/replicas.ts'
import { viewsOf } from './views.ts'

type FaceParts = {
  readonly service: ServiceState
  readonly schedule: Scheduler
  readonly registry: RepositoryRegistry
  readonly monitors: () => readonly TargetMonitor[]
  /** Absent: this service is alone. */
  readonly shared?: Shared | undefined
  isReady(): boolean
  listen(tell: (event: ServiceEvent) => void): () => void
}

export function createServiceApi(own: FaceParts): Service {
  const { service, schedule, registry } = own
  const { store, instance } = service.dependencies

  function appState(key: string): AppState {
    const found = service.apps.get(key)
    if (found !== undefined) return found
    throw new Problem({
      type: 'configuration',
      code: 'not_found',
      message: `there is no application ${JSON.stringify(key)}`,
      suggestion: 'tend get apps lists them',
    })
  }

  /** What is asked of others is asked where they are looked after. */
  function here(key: string): AppState {
    const found = appState(key)
    if (service.isOurs(key)) return found
    throw new HeldElsewhere(key, service.peers?.addressOf(key))
  }

  function reposOf(fits: (branch: Branch, repo: Repo) => boolean): readonly Repo[] {
    return [...registry.repos.values()].filter((repo) =>
      [...repo.branches.values()].some((branch) => fits(branch, repo)),
    )
  }

  async function askFor(one: AppState, ask: Omit<Ask, 'answer' | 'refuse'>): Promise<SyncAnswer> {
    return new Promise((answer, refuse) => {
      addAsk(one, { ...ask, answer, refuse })
      service.wake()
    })
  }

  /** A source that can't be asked is no reason not to apply what is known. */
  async function askSourceOf({ branch }: AppState, by: string | undefined): Promise<void> {
    for (const repo of reposOf((other) => other === branch)) {
      // what it finds for other applications was found because of them too
      if (repo.cause === polled) repo.cause = { ...polled, by }
      await repo.ask()
    }
  }

  /** Before the source is read: what is read may be run by itself, and whoever is refused has begun nothing. */
  async function refuseMoved(one: AppState, expected: Expected | undefined): Promise<void> {
    if (expected === undefined) return
    const { snapshot } = (await newestFor(registry, [one], service.stop)).get(one.key) ?? {}
    const problem =
      snapshot &&
      otherThanExpected(one, expected, {
        ...expected,
        revision: snapshot.revision,
      })
    if (problem !== undefined) throw problem
  }

  /** When nothing more happens to it for now. */
  async function settled(one: AppState): Promise<SyncAnswer> {
    const before = one.persisted.lastRun?.at
    const status = await new Promise<AppStatus>((resolve) => {
      addIdleListener(one, resolve)
      service.wake()
    })
    const ran = one.persisted.lastRun
    const outcome = ran !== undefined && ran.at !== before ? ran.outcome : undefined
    return { status, outcome, unread: unreadOf(one) }
  }

  async function suspended(key: string, value: boolean, by?: string): Promise<AppStatus> {
    const one = here(key)
    // what came meanwhile is applied because of whoever resumes it
    if (!value && isSuspended(one)) setCause(one, { trigger: 'manual', by })
    const forgetful = await remember(service, one, { suspended: value })
    service.wake()
    if (forgetful === undefined) return schedule.statusOf(one)
    const verb = value ? 'suspend' : 'resume'
    throw new Problem({
      type: 'runtime',
      code: 'store_unusable',
      message: `${key} is ${value ? 'suspended' : 'resumed'} for now, but a restart forgets that: ${forgetful}`,
      suggestion: `when that is mended: tend ${verb} ${one.application.name}`,
    })
  }

  function pushed({ urls, ref, revision, by }: Pushed): ReturnType<Service['pushed']> {
    const isMeant = (branch: Branch, repo: Repo): boolean =>
      (urls.length === 0 || urls.some((url) => isSameRepository(url, repo.repository.shown))) &&
      isSameRef(branch.ref, ref, revision)
    const repos = reposOf(isMeant)
    const branches = new Set(
      repos.flatMap((repo) =>
        [...repo.branches.values()].filter((branch) => isMeant(branch, repo)),
      ),
    )
    const members = (): readonly AppState[] =>
      [...service.apps.values()].filter(
        ({ branch }) => branch !== undefined && branches.has(branch),
      )
    async function done(): Promise<readonly SyncAnswer[]> {
      for (const repo of repos) repo.cause = { trigger: 'webhook', by }
      if (revision !== undefined && isCommit(revision)) announce(revision)
      // what runs is asked for while the repository is: the run that follows needs both
      for (const monitor of new Set(members().map((one) => one.monitor))) void monitor?.look()
      // what is on other refs was not pushed: that is read when it is its time, or when somebody says so
      await Promise.all(repos.map((repo) => repo.ask(refsOf(repo))))
      const ours = members().filter(({ key }) => service.isOurs(key))
      return Promise.all(ours.map(settled))
    }
    function refsOf({ branches: own }: Repo): readonly string[] {
      return [...own.values()].filter((one) => branches.has(one)).map(({ ref }) => ref)
    }
    function announce(commit: string): void {
      for (const repo of repos) {
        for (const branch of repo.branches.values()) {
          const isNamed = branches.has(branch) && branch.ref !== ''
          if (isNamed) repo.announced.set(branch.ref, commit)
        }
      }
    }
    const isFollowed = repos.length > 0
    return { keys: members().map(({ key }) => key), isFollowed, done: done() }
  }

  /** In the order in which they were declared; where several replicas answer, in one that all of them have. */
  function listed(): readonly AppState[] {
    const all = [...service.apps.values()]
    if (service.peers === undefined) return all
    return all.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  }

  return {
    ...viewsOf(service, schedule, own, { appState, here }),
    instance,
    get projectName() {
      return service.declarations.projectName
    },
    isReady: () => own.isReady(),
    apps: () => listed().map((one) => one.status ?? schedule.statusOf(one)),
    app: (key) => schedule.statusOf(appState(key)),
    labelsOf(key) {
      const { declared, isGone, status } = service.apps.get(key) ?? { isGone: own.isReady() }
      if (declared !== undefined) return declared.policy.labels ?? {}
      // what another replica looks after, that one tells with all that is said of it
      return isGone || !service.isOurs(key) ? (status?.labels ?? {}) : undefined
    },
    sources: () => [
      ...[...registry.repos.values()].flatMap(({ branches }) =>
        [...branches.values()].map(({ status }) => status),
      ),
      ...(service.refused === undefined ? [] : [service.refused]),
    ],
    refresh(by) {
      const repos = [...registry.repos.values()]
      const isQueued = repos.some((repo) => repo.isAsking())
      for (const repo of repos) {
        repo.cause = { trigger: 'manual', by }
        void repo.ask().finally(() => service.wake())
      }
      return isQueued ? 'queued' : 'refreshing'
    },
    pushed,
    async sync(key, allowed, begun) {
      const one = here(key)
      refuseSuspended(one)
      await refuseMoved(one, allowed?.expected)
      const cause: Cause = { trigger: 'manual', by: allowed?.by }
      setComingAsks(one, [...one.comingAsks, cause])
      await askSourceOf(one, cause.by).finally(() =>
        setComingAsks(
          one,
          one.comingAsks.filter((other) => other !== cause),
        ),
      )
      const unread = unreadOf(one)
      // the source may have lost it just now, and nothing is known of it any more
      const known = appState(key)
      refuseOtherRevision(known, allowed?.expected)
      return { ...(await askFor(known, { trigger: 'manual', allowed, begun })), unread }
    },
    async rollback(key, run, allowed) {
      const one = here(key)
      refuseSuspended(one)
      refuseGone(one)
      const past = await pastFor(service, one, run)
      return askFor(one, { trigger: 'rollback', past, allowed })
    },
    plan: async (key, signal, back, how) =>
      (await plannedFor(service, here(key), { ...how, back }, signal)).plan,
    suspend: (key) => suspended(key, true),
    resume: (key, by) => suspended(key, false, by),
    async forget(key) {
      const one = here(key)
      refuseDeclared(one)
      const status = schedule.statusOf(one)
      await forget(service, key)
      return status
    },
    async acknowledge(key, by) {
      const one = here(key)
      refuseSuspended(one)
      const status = schedule.statusOf(one)
      // a run all the same would undo what was put back by hand
      if (!status.needsAcknowledgement) return { status, outcome: undefined }
      await remember(service, one, { acknowledged: one.persisted.desired?.hash })
      const allowed = by === undefined ? undefined : { empty: false, massDelete: false, by }
      return askFor(one, { trigger: 'manual', allowed })
    },
    runs: async (key) => store.runs(appState(key).application),
    recentRuns: async (most) => recentOf(store, most, (key) => service.apps.has(key)),
    events: async (key, run) => store.events(appState(key).application, run),
    async containers(key, signal) {
      const one = here(key)
      return (await one.monitor?.connection().containers?.(one.owner, signal)) ?? []
    },
    resources: async (key, signal) => resourcesOf(service, here(key), signal),
    logs(key, container, wanted, signal) {
      const one = here(key)
      if (one.monitor === undefined) throw new Problem(unplaced(key))
      return logsOf(one, container, wanted, signal)
    },
    listen: (tell) => own.listen(tell),
    metrics: service.metrics,
  }
}

/** An error of a source is shown until the source was read again without one, also while it is being read. */
function unreadOf({ branch }: AppState): SyncAnswer['unread'] {
  return branch?.status.problem
}
