/** The exit code of a run, from its outcome. */
import { codes, type ProblemFacts } from '#model/problem.ts'
import type { RunSummary } from './views/run-summary.ts'

/** 0 done or nothing to do, 1 something failed, 2 wrong usage or configuration, 3 a preview found changes, 130 interrupted. */
export function exitCodeOf(summary: RunSummary, hasExitCode: boolean): number {
  const { ended, problems } = summary
  switch (ended?.outcome) {
    case 'succeeded': {
      if (ended.summary.failed + ended.summary.skipped > 0) return 1
      return hasExitCode && summary.isDryRun && summary.groups.length > 0 ? 3 : 0
    }
    case 'interrupted':
      return codes.interrupted.exit
    case 'refused':
      return problems.length === 0 ? 1 : exitCodeOfProblems(problems)
    case 'failed':
    case undefined:
      return 1
  }
}

export function exitCodeOfProblems(problems: readonly ProblemFacts[]): number {
  return problems.reduce((worst, { code }) => Math.max(worst, codes[code].exit), 0)
}
