/** A service in memory: it knows applications, runs them at once or when told, and says so, as the real one does. */
import { keyOf, type Application } from '#model/application.ts'
import type { AppRow } from '#model/api.ts'
import type { Event, Outcome, Trigger } from '#model/event.ts'
import type { Plan } from '#model/plan.ts'
import { Problem } from '#model/problem.ts'
import type {
  AppStatus,
  ContainerStatus,
  Pushed,
  Service,
  ServiceEvent,
  SourceStatus,
  SyncAnswer,
} from '#model/service.ts'
import type { RunRecord } from '#model/store.ts'
import { fakeViews, refuseOther } from './service-views.ts'

const start = Date.UTC(2026, 0, 1, 12)
const none = { created: 0, updated: 0, deleted: 0, unchanged: 1, failed: 0, skipped: 0 }

export type FakeService = Service & {
  /** What was asked of it, in order. */
  readonly asked: readonly string[]
  set(key: string, change: Partial<AppStatus>): void
  /** What only lists show of it, from its next change on. */
  readonly rowFacts: Map<string, Partial<AppRow>>
  setSource(change: Partial<SourceStatus>): void
  add(status: AppStatus): void
  remove(key: string): void
  tell(event: ServiceEvent): void
  /** How runs end from now on. */
  outcome: Outcome
  /** A run ends only when this does. */
  until: Promise<void>
  listeners(): number
}

export function fakeService(names: readonly string[], plan = emptyPlan): FakeService {
  const apps = new Map(names.map((name) => [`stack:${name}`, statusOf(name)]))
  const runs = new Map<string, RunRecord[]>()
  const events = new Map<string, Event[]>()
  const listeners = new Set<(event: ServiceEvent) => void>()
  const counts = new Map<string, number>()
  const asked: string[] = []
  const rowFacts = new Map<string, Partial<AppRow>>()
  let source = sourceStatus

  function app(key: string): AppStatus {
    const found = apps.get(key)
    if (found !== undefined) return found
    const message = `no application ${key}`
    throw new Problem({ type: 'configuration', code: 'not_found', message })
  }

  function tell(event: ServiceEvent): void {
    for (const listener of listeners) listener(event)
  }

  function set(key: string, change: Partial<AppStatus>): AppStatus {
    const status = { ...app(key), ...change }
    apps.set(key, status)
    tell({ type: 'app', status })
    return status
  }

  function setSource(change: Partial<SourceStatus>): void {
    source = { ...source, ...change }
    tell({ type: 'source', status: source })
  }

  async function run(key: string, trigger: Trigger): Promise<SyncAnswer> {
    const before = app(key)
    if (before.isSuspended) {
      throw new Problem({
        type: 'configuration',
        code: 'suspended',
        message: `${key} is suspended`,
      })
    }
    set(key, { state: 'syncing' })
    await service.until
    const { outcome } = service
    const number = (runs.get(key)?.length ?? 0) + 1
    const isGood = outcome === 'succeeded'
    const record: RunRecord = {
      number,
      trigger,
      version: '1',
      startedAt: start,
      endedAt: start + 1000,
      outcome,
      isRolledBack: false,
      summary: none,
      hash: 'h1',
      hasSnapshot: true,
    }
    runs.set(key, [record, ...(runs.get(key) ?? [])])
    const { application } = before
    const own: Event[] = [
      { at: start, type: 'started', application, trigger, isDryRun: false },
      { at: start, type: 'planned', plan },
      {
        at: start + 1000,
        type: 'ended',
        outcome,
        isRolledBack: false,
        summary: none,
        milliseconds: 1000,
      },
    ]
    events.set(`${key} ${number}`, own)
    for (const event of own) tell({ type: 'run', key, event })
    const lastRun = { number, trigger, outcome, isRolledBack: false, at: start, summary: none }
    const status = set(key, {
      state: isGood ? 'synced' : 'failed',
      reason: isGood ? '' : 'it did not start',
      needsAcknowledgement: false,
      lastRun: { ...lastRun, problem: undefined },
      ...(isGood ? { synced: { revision: 'abc', message: 'first', hash: 'h1', at: start } } : {}),
    })
    return { status, outcome }
  }

  const service: FakeService = {
    instance: 'test',
    projectName: 'Test',
    asked,
    rowFacts,
    outcome: 'succeeded',
    until: Promise.resolve(),
    isReady: () => true,
    labelsOf: (key) => apps.get(key)?.labels ?? {},
    apps: () => [...apps.values()],
    app,
    ...fakeViews(
      () => service,
      rowFacts,
      () => runs,
    ),
    sources: () => [source],
    refresh(by) {
      asked.push(`refresh ${by}`)
      const isBusy = source.state === 'refreshing'
      if (!isBusy) setSource({ state: 'refreshing' })
      return isBusy ? 'queued' : 'refreshing'
    },
    pushed(push) {
      const isFollowed = follows(source, push)
      const keys = isFollowed ? [...apps.keys()] : []
      asked.push(`pushed ${push.ref ?? 'any'}`)
      return { keys, isFollowed, done: Promise.all(keys.map((key) => run(key, 'webhook'))) }
    },
    async sync(key, allowed, begun) {
      refuseOther(app(key), allowed?.expected)
      begun?.()
      return run(key, 'manual')
    },
    recentRuns: async (most) =>
      [...runs]
        .flatMap(([key, all]) => all.map((one) => ({ key, run: one })))
        .toSorted((a, b) => b.run.startedAt - a.run.startedAt)
        .slice(0, most),
    async rollback(key, number) {
      const known = runs.get(key) ?? []
      app(key)
      if (number === undefined || known.some((one) => one.number === number)) {
        return run(key, 'rollback')
      }
      throw new Problem({ type: 'configuration', code: 'not_found', message: `no run ${number}` })
    },
    async plan(key) {
      app(key)
      return plan
    },
    forget: async (key) => set(key, {}),
    suspend: async (key) => set(key, { isSuspended: true, state: 'suspended' }),
    resume: async (key) => set(key, { isSuspended: false, state: 'synced' }),
    acknowledge: (key) => run(key, 'manual'),
    async runs(key) {
      app(key)
      return runs.get(key) ?? []
    },
    async events(key, number) {
      return events.get(`${key} ${number}`) ?? []
    },
    async containers(key) {
      return [containerOf(app(key).application)]
    },
    async resources(key) {
      app(key)
      const since = start
      const sync = { state: 'synced', reason: '', changes: [], since } as const
      const health = { state: 'healthy', reason: 'it runs', restartCount: 0, since } as const
      return [{ ref: 'container/web', sync, health }]
    },
    async *logs(key, container, { tail }) {
      app(key)
      if (container !== 'web') {
        const message = `${key} has no container ${container}`
        throw new Problem({ type: 'configuration', code: 'not_found', message })
      }
      yield* ['one', 'two', 'three'].slice(tail === undefined ? 0 : Math.max(0, 3 - tail))
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    metrics: {
      text: () => [...counts].map(([name, count]) => `${name} ${count}\n`).join(''),
      count(name, labels, by = 1) {
        const text = Object.entries(labels).map(([key, value]) => `${key}="${value}"`)
        const full = `${name}{${text.join(',')}}`
        counts.set(full, (counts.get(full) ?? 0) + by)
      },
      observe: () => undefined,
    },
    set,
    setSource,
    add(status) {
      apps.set(status.key, status)
      tell({ type: 'app', status })
    },
    remove(key) {
      apps.delete(key)
      tell({ type: 'gone', key, at: start })
    },
    tell,
    listeners: () => listeners.size,
  }
  return service
}

function follows(source: SourceStatus, { urls, ref }: Pushed): boolean {
  const isIt = urls.length === 0 || urls.includes(source.shown)
  return isIt && (ref === undefined || ref === `refs/heads/${source.ref}`)
}

export function fleetStatus(name: string): AppStatus {
  return statusOf(name, 'fleet')
}

export function statusOf(name: string, kind = 'stack'): AppStatus {
  const application: Application = { kind, namespace: null, name }
  return {
    key: keyOf(application),
    application,
    state: 'synced',
    reason: '',
    sync: { state: 'synced', reason: '', since: start },
    health: { state: 'healthy', reason: '', since: start, isGivenUp: false },
    desired: { revision: 'abc', message: 'first', hash: 'h1' },
    synced: { revision: 'abc', message: 'first', hash: 'h1', at: start },
    lastRun: undefined,
    nextTry: undefined,
    failures: 0,
    isSuspended: false,
    needsAcknowledgement: false,
    containers: { running: 2, total: 3 },
    source: { ...where, path: `deploy/${name}`, file: 'compose.yaml' },
    target: 'docker',
    dependsOn: [],
    labels: { team: name },
  }
}

const where = { shown: 'https://git.example/team/stacks.git', ref: 'main' }

const sourceStatus: SourceStatus = {
  ...where,
  revision: 'abc',
  message: 'first',
  refType: 'branch',
  at: start,
  state: 'completed',
  problem: undefined,
}

function containerOf({ name }: Application): ContainerStatus {
  return {
    id: '0123456789abcdef0123',
    name: `${name}-web-1`,
    service: 'web',
    state: 'running',
    health: 'healthy',
    image: 'web:1',
    ports: '',
  }
}

const emptyPlan: Plan = {
  groups: [],
  unchanged: ['container/web'],
  skipped: [],
  kept: [],
  warnings: [],
  isFirst: false,
}
