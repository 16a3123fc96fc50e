/** Why an earlier run can't be gone back to. */
import type { LoadedKind } from '#model/application-kind.ts'
import type { Application } from '#model/application.ts'
import { Problem } from '#model/problem.ts'
import type { RunRecord } from '#model/store.ts'
import { wordsFor } from './all.ts'

/** Throws for kinds that have no earlier state to go back to. */
export function refuseWithoutPast({ noRollback }: Pick<LoadedKind, 'noRollback'>): void {
  if (noRollback === undefined) return
  throw new Problem({ type: 'configuration', code: 'unsupported', ...noRollback })
}

export function noEarlierRun(application: Application): Problem {
  const { name } = application
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `${name} has no earlier run to go back to`,
    suggestion: `${historyOf(application)} lists its runs`,
  })
}

export function noSuchRun(
  application: Application,
  number: number,
  runs: readonly RunRecord[],
): Problem {
  const { name } = application
  const [newest, oldest] = [runs[0]?.number, runs.at(-1)?.number]
  const known = newest === undefined ? 'it has none' : `it has ${oldest ?? newest} to ${newest}`
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `${name} has no run ${number}: ${known}`,
    suggestion: `${historyOf(application)} lists its runs`,
  })
}

export function wasRefused(application: Application, run: number): Problem {
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `run ${run} of ${application.name} was refused and applied nothing, so there is nothing to go back to`,
    suggestion: `${historyOf(application)} lists its runs`,
  })
}

export function forgotten(application: Application, run: number): Problem {
  const { name } = application
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `what run ${run} of ${name} applied is no longer kept`,
    suggestion: `${historyOf(application)} lists its runs`,
  })
}

function historyOf(application: Application): string {
  return `tend history ${wordsFor(application).argument(application)}`
}
