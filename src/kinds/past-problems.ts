/** Why an earlier run can't be gone back to. */
import type { Application } from '#model/application.ts'
import { Problem } from '#model/problem.ts'
import type { RunRecord } from '#model/store.ts'
import { wordsFor } from './all.ts'

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
