/** `tend fleet regress`: clean, bootstrap, reconcile, validate; ends at the first that fails, and writes down what happened. */
import { resolve } from 'node:path'
import { reservedCluster, type Clusters } from '#model/clusters.ts'
import type { JsonRecord } from '#model/json.ts'
import { codes, problemOf } from '#model/problem.ts'
import type { Lease } from '#model/store.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { Mode } from '#domains/fleet/fleet-context.ts'
import type { Flags, Invocation } from '../../arguments/invocation.ts'
import { appendEntry, entryFor, historyFileOf } from '../../fleet/history.ts'
import { openLog } from '../../fleet/log-file.ts'
import { databaseOf, settingsFor, withClusters } from '../../fleet/open.ts'
import { leaseOf, pass, type Pass } from '../../fleet/pass.ts'
import { report, type Snapshot } from '../../fleet/report.ts'
import { reconciling } from '#kinds/fleet/usual.ts'
import { validate } from '../../fleet/validate.ts'
import { forReader, summaryLines } from '../../fleet/view.ts'
import type { CommandContext } from '../../session.ts'
import { bootstrap, checkLines } from './bootstrap.ts'

const usualLog = '/tmp/kindler_reconcile.log'
const usualReport = 'docs/TEST_REPORT.md'

export async function fleetRegress(
  { flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { session, screen } = context
  const began = session.clock.now()
  const database = databaseOf(flags, session)
  const settings = settingsFor(flags, database)
  const log = openLog(resolve(flags.fleet.log ?? usualLog))
  function say(lines: readonly string[]): void {
    if (screen.format === 'table') screen.print(forReader(lines, screen, flags))
    log.write(lines)
  }
  const came: CycleResult = { status: 'failed', code: 1, passed: undefined, hasBegun: false }
  const file = historyFileOf(flags, session, database)
  function entry(): JsonRecord {
    const outcome = { summary: came.passed?.summary ?? [], code: came.code }
    const facts = entryFor(outcome, flags, session, { file, began })
    return { ...facts, args: ['regress'], from_db: true }
  }
  try {
    return await withClusters(flags, session, 'write', async (clusters) => {
      const lease = await leaseOf({ clusters }, flags, context)
      came.hasBegun = true
      try {
        await cycle({ clusters, settings, flags, context, say, lease }, came)
        const to = flags.fleet.report ?? usualReport
        say([`== ${came.status}: the log is ${log.path}, the summary is in ${to}`])
      } finally {
        await lease.release()
      }
      if (screen.format !== 'table') await screen.document({ status: came.status, ...entry() })
      return came.code
    })
  } catch (thrown) {
    const problem = problemOf(thrown)
    log.write([`Error: ${problem.message}`])
    came.code = context.signal.aborted ? codes.interrupted.exit : codes[problem.code].exit
    throw thrown
  } finally {
    if (came.hasBegun) {
      appendEntry(file, entry(), context)
      const snapshot = { status: came.status, log: log.path, entry: entry() }
      report(flags.fleet.report ?? usualReport, snapshot, context)
    }
    log.close()
  }
}

type CycleResult = {
  status: Snapshot['status']
  code: number
  passed: Pass | undefined
  /** False until the table could be opened: before that nothing was tested that a report could show. */
  hasBegun: boolean
}

type Cycle = {
  readonly clusters: Clusters
  readonly settings: FleetSettings
  readonly flags: Flags
  readonly context: CommandContext
  readonly say: (lines: readonly string[]) => void
  /** The lease, held for the whole cycle: nobody else may restore what was just cleaned. */
  readonly lease: Lease
}

/** Nothing is smoke-tested that was not restored. */
async function cycle(parts: Cycle, came: CycleResult): Promise<void> {
  const { flags, context, say } = parts
  const rows = (await parts.clusters.rows()).filter((row) => row.desired === 'present')
  const undeclared = tooFew(flags.fleet.require, rows)
  if (undeclared !== '') {
    say([`Too few clusters are declared: ${undeclared}. Nothing was touched.`])
    came.status = 'failed-count-check'
    return
  }
  say(['== clean'])
  const cleaned = await passIn('clean', parts)
  say(summaryLines(cleaned.summary))
  came.code = cleaned.code
  if (came.code !== 0) return

  say(['== bootstrap'])
  const checks = await bootstrap(flags, context)
  say(checkLines(checks))
  came.code = checks.some(({ state }) => state === 'failed') ? 1 : 0
  if (came.code !== 0) return

  say(['== reconcile'])
  came.passed = await passIn('reconcile', parts)
  say(summaryLines(came.passed.summary))
  came.code = came.passed.code
  if (came.code !== 0) return
  const stand = came.passed.verified?.records.filter(
    ({ desired, result }) => desired === 'present' && result === 'OK',
  )
  const short = tooFew(flags.fleet.require, stand ?? [])
  if (short !== '') {
    say([`Too few clusters stand: ${short}. Nothing more is tested.`])
    came.status = 'failed-count-check'
    came.code = 1
    return
  }

  say(['== validate'])
  const found = await validate(flags, context)
  say(checkLines(found))
  came.code = found.some(({ state }) => state === 'failed') ? 1 : 0
  if (came.code === 0) came.status = 'success'
}

function passIn(mode: Mode, { clusters, settings, flags, context, lease }: Cycle): Promise<Pass> {
  const options = { ...reconciling, mode }
  const doing = mode === 'clean' ? 'Cleaning fleet' : 'Reconciling fleet'
  const sure = mode === 'clean' ? { allowEmpty: true, allowMassDelete: true } : {}
  const input = { clusters, settings, options, doing, isDryRun: false, lease }
  return pass(input, { ...flags, ...sure }, context)
}

/** Counts declared rows only: a cluster that no row declares proves nothing. */
function tooFew(
  required: ReadonlyMap<string, number>,
  all: readonly { readonly name: string; readonly provider: string }[],
): string {
  return [...required]
    .flatMap(([provider, count]) => {
      const found = all.filter((one) => one.provider === provider && one.name !== reservedCluster)
      return found.length >= count ? [] : [`${provider} ${found.length} of ${count}`]
    })
    .join(', ')
}
