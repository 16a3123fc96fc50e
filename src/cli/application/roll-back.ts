/** Applies again what an earlier run applied: no files, no templates. */
import { keyOf, type Application } from '#model/application.ts'
import { Problem } from '#model/problem.ts'
import type { ApplicationRecord, RunRecord, Store } from '#model/store.ts'
import type { Flags } from '../arguments/invocation.ts'
import { forgotten, noEarlierRun, wasRefused } from '#kinds/past-problems.ts'
import { livingRuns, pastOf, runBefore } from '#store/past.ts'
import { engineIn, withEngine } from './engine.ts'
import { renderedAgain } from './rendered-again.ts'
import { requestFor } from './request.ts'
import { startRun } from './start.ts'
import { exitCodeOf } from '../exit-code.ts'
import type { CommandContext, Memory } from '../session.ts'
import { outcomeWords } from '../views/listing.ts'
import { usageProblem } from '../arguments/usage.ts'

export async function rollBack(
  { application, since, source }: ApplicationRecord,
  number: string | undefined,
  flags: Flags,
  context: CommandContext,
  memory: Memory,
): Promise<number> {
  const { store, key } = memory
  const run = await chosenRun(application, number, store)
  if (run.outcome !== 'succeeded') {
    context.screen.note(`Warning: run ${run.number} did not go well: ${outcomeWords(run)}`)
  }
  const past = await pastOf(application, run, store)
  if (past === undefined) throw forgotten(application, run.number)
  const { snapshot } = past
  const seed = await context.session.seed(key, keyOf(application), since)
  const request = requestFor(application, flags, context, {
    trigger: 'rollback',
    since,
    revision: `run ${run.number}`,
    source: withEngine(snapshot.source, engineIn(source)),
    render: () => renderedAgain(application, snapshot, seed, past),
  })
  const subject = `${application.name} to run ${run.number}`
  const heading = { doing: `Rolling back ${application.kind}`, subject }
  const summary = await startRun(request, heading, flags, context, memory)
  return exitCodeOf(summary, flags.hasExitCode)
}

/** The run of the number that was asked for, or the last good one that declared something else than what is in force. */
async function chosenRun(
  application: Application,
  typed: string | undefined,
  store: Store,
): Promise<RunRecord> {
  const runs = await livingRuns(application, store)
  if (typed !== undefined) {
    const found = runs.find(({ number }) => String(number) === typed)
    if (found === undefined) {
      throw noSuchRun(application, typed, runs, await store.runs(application))
    }
    if (found.outcome === 'refused') throw wasRefused(application, found.number)
    if (!found.hasSnapshot) throw forgotten(application, found.number)
    return found
  }
  const before = runBefore(runs)
  if (before !== undefined) return before
  throw noEarlierRun(application)
}

function noSuchRun(
  application: Application,
  typed: string,
  runs: readonly RunRecord[],
  ever: readonly RunRecord[],
): Problem {
  if (!/^\d+$/.test(typed)) {
    return usageProblem(
      `${JSON.stringify(typed)} is not the number of a run`,
      `tend history ${application.name} lists its runs`,
    )
  }
  const kept = runs
    .filter(({ hasSnapshot, outcome }) => hasSnapshot && outcome === 'succeeded')
    .map(({ number }) => number)
  const isBefore = ever.some(({ number }) => String(number) === typed)
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: isBefore
      ? `run ${typed} of ${application.name} was before it was uninstalled: it can't be applied again`
      : `${application.name} has no run ${typed}`,
    suggestion: `runs that went well: ${kept.join(', ')}`,
  })
}
