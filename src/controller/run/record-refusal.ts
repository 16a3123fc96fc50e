/** A declaration that is refused before a run could begin is a run too: recorded with its outcome, once for each revision and fault. */
import type { Cause } from '#model/event.ts'
import { problemOf, type ProblemFacts } from '#model/problem.ts'
import { remember, type ServiceState } from '../state/service-state.ts'
import type { AppState } from '../state/app-state.ts'

const summary = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0, skipped: 0 }

export async function recordRefusal(
  service: ServiceState,
  app: AppState,
  fault: ProblemFacts,
  revision: string,
  cause: Cause,
): Promise<void> {
  // whoever asks for a run has the source asked first: what that finds is the answer
  const [asked] = app.asks
  const waiting = asked && { trigger: asked.trigger, by: asked.allowed?.by }
  const { trigger, by } = app.comingAsks[0] ?? waiting ?? cause
  const { store, clock, log } = service.dependencies
  const { application, persisted, branch, declared } = app
  const at = clock.now()
  try {
    const last = (await store.application(application))?.lastRun
    const isSame = last?.outcome === 'refused' && last.version === revision
    if (isSame && persisted.lastRun?.problem?.message === fault.message) return
    const path = [branch?.status.shown ?? '', declared?.path ?? '']
    const from = { path: path.filter((part) => part !== '').join('/'), revision }
    const source = by === undefined ? from : { ...from, by }
    const number = await store.begin({
      application,
      since: persisted.since,
      trigger,
      version: revision,
      startedAt: at,
      hash: '',
      snapshot: { version: revision, resources: [], secrets: new Map(), source },
    })
    const ended = { outcome: 'refused', isRolledBack: false, summary } as const
    const events = [
      { type: 'started', application, trigger, isDryRun: false, at },
      { type: 'opened', run: number, at },
      { type: 'problem', problem: fault, at },
      { type: 'ended', ...ended, milliseconds: 0, at },
    ] as const
    for (const event of events) await store.append(application, number, event)
    await store.end(application, number, { ...ended, endedAt: at, isUninstalled: false })
    const { type, code, message, suggestion, at: place } = fault
    const problem = { type, code, message, ...(suggestion ? { suggestion } : {}) }
    await remember(service, app, {
      lastRun: {
        number,
        trigger,
        at,
        ...ended,
        problem: place ? { ...problem, at: place } : problem,
      },
    })
    for (const event of events) service.emit({ type: 'run', key: app.key, event })
  } catch (thrown) {
    // it is told by its status all the same
    log('warning', 'could not be recorded that it was refused', {
      app: app.key,
      why: problemOf(thrown).message,
    })
  }
}
