/** A run that begins where another one was cut off goes back to something half done: what was last applied with success is put in its place. */
import { problemOf, type ProblemFacts } from '#model/problem.ts'
import { executeRun, type Result } from './execute-run.ts'
import { renderInForce } from '../sources/desired-state.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { AppState } from '../state/app-state.ts'
import type { PersistedState } from '../state/persisted-state.ts'

/** `begun`: what the run before it was cut off at; undefined: that one came to its end. Whatever policy says of drift: it is not somebody's change. */
export async function restoreInForce(
  service: ServiceState,
  app: AppState,
  begun: string | undefined,
  { outcome, isRolledBack }: Result,
): Promise<void> {
  const { synced } = app.persisted
  const isBack = isRolledBack || outcome === 'refused'
  if (begun === undefined || synced === undefined || !isBack) return
  const problem = await problemOfRestoring(service, app, synced)
  // what is newer still has the next run
  if (problem === undefined || problem.code === 'superseded' || service.stop.aborted) return
  const facts = { app: app.key, error: problem.message }
  service.dependencies.log('error', 'what was last applied could not be put back whole', facts)
}

async function problemOfRestoring(
  service: ServiceState,
  app: AppState,
  synced: NonNullable<PersistedState['synced']>,
): Promise<ProblemFacts | undefined> {
  try {
    const rendered = await renderInForce(service, app)
    if (rendered === undefined) return undefined
    return (await executeRun(service, app, { ...synced, rendered }, 'drift')).problem
  } catch (thrown) {
    return problemOf(thrown)
  }
}
