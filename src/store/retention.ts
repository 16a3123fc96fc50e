/** How much history is kept. */
import { numberIn, type Query } from './database.ts'

/**
 * Of so many newest runs of an application the events and snapshots are kept. The snapshot of the last run that
 * succeeded and left something running is kept however old it is: it is what a rollback goes to.
 */
export const keptRuns = 50

/** So many runs are listed. What fails again and again has a hundred thousand runs a year. */
const listedRuns = 1_000

export async function forgetOld(inside: Query, application: string, newest: number): Promise<void> {
  const last = newest - keptRuns
  if (last < 1) return
  const [found] = await inside.rows(
    `select number from runs where application = ? and outcome = 'succeeded' and is_uninstalled = 0
     order by number desc limit 1`,
    [application],
  )
  const good = found === undefined ? 0 : numberIn(found, 'number')
  await inside.change('delete from events where application = ? and run <= ?', [application, last])
  await inside.change(
    `update runs set snapshot = null, secrets = null
     where application = ? and number <= ? and number <> ? and snapshot is not null`,
    [application, last, good],
  )
  // where a life ended stays known: what was before it is not to be gone back to
  await inside.change(
    `delete from runs
     where application = ? and number <= ? and number <> ? and is_uninstalled = 0`,
    [application, newest - listedRuns, good],
  )
  await inside.change(
    `delete from snapshots where application = ? and not exists (
       select 1 from runs
       where runs.application = snapshots.application and runs.snapshot = snapshots.hash)`,
    [application],
  )
}
