/** Does what was decided for an application that is not well. */
import type { Health } from '#model/assessment.ts'
import { factsOf, problemOf, type ProblemFacts } from '#model/problem.ts'
import { livingRuns, pastOf, runBefore, type Past } from '#store/past.ts'
import { restartRequest } from '../api/restart.ts'
import { checkRight } from '../guards/check-right.ts'
import { healthOfContainers } from '../monitor/app-health.ts'
import { remember, type ServiceState } from '../state/service-state.ts'
import { lookNow } from '../monitor/health-checks.ts'
import type { Remedy } from '../decide/remedy.ts'
import type { PersistedState } from '../state/persisted-state.ts'
import { setHealth, addAsk, type AppState } from '../state/app-state.ts'

/** Never throws: what can't be done is in the log, and counts as done. */
export async function applyRemedy(
  service: ServiceState,
  app: AppState,
  what: NonNullable<Remedy['what']>,
): Promise<void> {
  const { kind } = app.application
  if (what === 'well again') {
    await remember(service, app, { help: undefined })
    return
  }
  if (what === 'give up') return giveUp(service, app)
  if (what === 'restart') {
    service.metrics.count('tend_help_total', { kind, what })
    return restart(service, app)
  }
  await goBack(service, app)
}

function helpBefore({ persisted }: AppState): NonNullable<PersistedState['help']> {
  const hash = persisted.synced?.hash ?? ''
  const { help } = persisted
  return help?.hash === hash ? help : { hash, count: 0, at: 0 }
}

async function giveUp(service: ServiceState, app: AppState): Promise<void> {
  const { log, clock } = service.dependencies
  const { reason = '' } = (await healthWithReasons(service, app)) ?? {}
  log('error', 'it is not well, and nothing more is tried', { app: app.key, reason })
  await remember(service, app, {
    help: { ...helpBefore(app), at: clock.now(), isOver: true },
  })
}

/** Whoever is told is told why, with the last lines. */
async function healthWithReasons(
  service: ServiceState,
  app: AppState,
): Promise<Health | undefined> {
  const { monitor, health, seen, missing } = app
  if (monitor === undefined || health === undefined) return undefined
  // where lists tell the health of it as a whole, they tell the reason too
  if (seen?.listed === undefined && missing.length === 0) return health.health
  const { clock } = service.dependencies
  await lookNow(monitor, health.unwell, clock, service.stop)
  const looked = healthOfContainers(seen?.listed ?? [], missing, monitor.records, clock.now())
  setHealth(app, looked)
  return looked.health
}

const patience = 12 * 60_000

/** Counted before: one that is killed meanwhile does not restart it for ever. */
async function restart(service: ServiceState, app: AppState): Promise<void> {
  const { log, clock } = service.dependencies
  const { monitor, health } = app
  const before = helpBefore(app)
  const help = { ...before, count: before.count + 1, at: clock.now() }
  await remember(service, app, { help })
  const signal = AbortSignal.any([service.stop, AbortSignal.timeout(patience)])
  await Promise.all(
    (health?.unwell ?? []).map(async ({ name, id, ref }) => {
      const why = health?.each.get(ref)?.message ?? ''
      log('warning', 'a container is restarted', { app: app.key, container: name, why })
      const began = clock.now()
      let problem: ProblemFacts | undefined
      try {
        checkRight(service, app.key)
        await monitor?.connection().restart?.({ id, name }, restartRequest(service, app, signal))
      } catch (thrown) {
        problem = factsOf(problemOf(thrown))
        const { message: error } = problem
        const facts = { app: app.key, container: name, why: error }
        log('error', 'a container could not be restarted', facts)
      }
      const milliseconds = clock.now() - began
      service.dependencies.restarted?.({ key: app.key, ref, why, milliseconds, problem })
      monitor?.records.forgetLook(id)
    }),
  )
  await remember(service, app, { help: { ...help, at: clock.now() } })
  await monitor?.look()
}

/** The run itself is begun by the next turn, as one that was asked for. */
async function goBack(service: ServiceState, app: AppState): Promise<void> {
  const { log, clock } = service.dependencies
  const { persisted, monitor, owner } = app
  const past = await earlier(service, app)
  const now = clock.now()
  if (past === undefined) return giveUp(service, app)
  const { reason: why = '', details } = (await healthWithReasons(service, app)) ?? {}
  service.metrics.count('tend_help_total', { kind: app.application.kind, what: 'rollback' })
  log('error', 'it is not well, and goes back to what ran before', {
    app: app.key,
    run: past.run.number,
    why,
  })
  await remember(service, app, {
    help: { ...helpBefore(app), at: now, isOver: true },
    failure: {
      hash: persisted.desired?.hash ?? '',
      tries: 1,
      at: now,
      reason: `went back to run ${past.run.number}, since it was not well: ${why}`,
      code: 'unhealthy',
      ...(details === undefined ? {} : { details: [...details] }),
      isRolledBack: true,
      wentBack: true,
      isPassing: false,
      nextTry: now,
      epoch: monitor?.epoch(owner, 'unhealthy') ?? 0,
    },
  })
  addAsk(app, { trigger: 'health', past, answer: () => undefined })
}

async function earlier(service: ServiceState, app: AppState): Promise<Past | undefined> {
  const { store, log } = service.dependencies
  try {
    const run = runBefore(await livingRuns(app.application, store))
    return run && (await pastOf(app.application, run, store))
  } catch (thrown) {
    const { message: why } = problemOf(thrown)
    log('warning', 'what ran before could not be read', { app: app.key, why })
    return undefined
  }
}
