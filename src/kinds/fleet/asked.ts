/** What is asked of the runs of a fleet, and who is told what they came to. The service writes that to the history. */
import type { Recreation } from '#domains/fleet/compare/compare.ts'
import type { RunOptions } from '#domains/fleet/fleet-context.ts'
import type { KindAround } from '#model/application-kind.ts'
import { codeAfterRun, type AfterRun, type RunTold } from './after-run.ts'
import { append, entryOf, historyFile } from './history.ts'
import type { FleetPlace } from './fleet-address.ts'
import { reconciling } from './usual.ts'

export type FleetAsked = {
  readonly options: RunOptions
  /** What is done with a cluster that no longer matches its row and is not to be made anew. */
  readonly otherwise: Exclude<Recreation, 'asked'>
  /** Rows are read and rendered when a run holds the lease; otherwise a snapshot of the table or of a repository was rendered before. */
  readonly isRenderedByRuns: boolean
  ended(result: RunResult): void
  /** Rows can't be read, or what a run came to can't be told. */
  failed(thrown: unknown): void
}

export type RunResult = {
  readonly after: AfterRun
  readonly told: RunTold
  readonly began: number
}

export function askedByService(
  { database }: FleetPlace,
  around: KindAround,
  recreates: boolean,
): FleetAsked {
  return {
    options: { ...reconciling, recreates },
    otherwise: 'refused',
    isRenderedByRuns: false,
    ended({ after, told, began }) {
      if (after.undeclared !== '') around.log('warning', after.undeclared, {})
      const failure = told.outcome === 'succeeded' ? 0 : 1
      const code = codeAfterRun(after, told, reconciling, failure, true)
      const file = historyFile(database, around)
      const args = ['--from-db', ...(recreates ? ['--recreate'] : [])]
      const asked = { args, isFromDb: true, isDryRun: false, prunesMissing: false }
      const facts = { file, began, code, summary: after.summary, source: 'serve', ...asked }
      append(file, entryOf(facts, around), (text) => around.log('warning', text, {}))
    },
    failed(thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown)
      around.log('warning', 'the run could not be written to the history of the fleet', { why })
    },
  }
}
