/** `tend fleet reconcile`: makes clusters match the table, once or again and again. */
import type { RunOptions } from '#domains/fleet/fleet-context.ts'
import { usageProblem } from '../../arguments/usage.ts'
import type { Flags, Invocation } from '../../arguments/invocation.ts'
import { documentOf, lastEntry } from '#kinds/fleet/history.ts'
import { appendEntry, entryFor, historyFileOf } from '../../fleet/history.ts'
import { databaseOf, settingsFor, withClusters } from '../../fleet/open.ts'
import { pass, type Pass } from '../../fleet/pass.ts'
import { report } from '../../fleet/report.ts'
import { entryLines, forReader, nothing, summaryLines } from '../../fleet/view.ts'
import { localTime } from '../../views/view-options.ts'
import { problemList } from '../../views/problems.ts'
import type { CommandContext } from '../../session.ts'

export async function fleetReconcile(
  { flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { fleet } = flags
  if (fleet.isLastRun) return tellLast(flags, context)
  const isFromDb = fleet.isFromDb || fleet.loops || flags.isDryRun
  if (!isFromDb && !fleet.prunesMissing) {
    throw usageProblem(
      'say what to do',
      '--from-db makes reality match the table, --prune-missing removes rows without clusters, --dry-run shows',
    )
  }
  if (!fleet.loops) return once(flags, context, () => oneShot(flags, context))
  const { openPasses } = await import('../../fleet/passes.ts')
  const passes = await openPasses(runOptionsOf(flags), flags, context)
  try {
    for (let runs = 1; ; runs += 1) {
      const code = await once(flags, context, () => passes.pass())
      if (code !== 0 || context.signal.aborted) return code
      if (fleet.maxRuns !== undefined && runs >= fleet.maxRuns) return 0
      const next = localTime(context.session.clock.now() + fleet.interval)
      context.screen.note(`The next pass is at ${next}`)
      await context.session.clock.sleep(fleet.interval, context.signal)
    }
  } finally {
    await passes.close()
  }
}

export function runOptionsOf({ fleet, isDryRun, allowMassDelete }: Flags): RunOptions {
  const isFromDb = fleet.isFromDb || fleet.loops || (isDryRun && !fleet.prunesMissing)
  return {
    mode: isFromDb ? 'reconcile' : 'prune',
    prunesAbsent: fleet.prunesMissing,
    isAll: false,
    recreates: fleet.recreates,
    allowsMassDelete: allowMassDelete,
  }
}

/** Makes one pass, writes it to the history and tells it. */
async function once(
  flags: Flags,
  context: CommandContext,
  make: () => Promise<Pass>,
): Promise<number> {
  const { session } = context
  const began = session.clock.now()
  const passed = await make()
  const file = historyFileOf(flags, session, databaseOf(flags, session))
  const entry = entryFor(passed, flags, session, { file, began })
  appendEntry(file, entry, context)
  if (flags.fleet.report !== undefined) {
    const status = passed.code === 0 ? 'success' : 'failed'
    report(flags.fleet.report, { status, log: file, entry }, context)
  }
  await tell(passed, flags, context)
  return passed.code
}

async function oneShot(flags: Flags, context: CommandContext): Promise<Pass> {
  const { session } = context
  const settings = settingsFor(flags, databaseOf(flags, session))
  const { isDryRun } = flags
  return withClusters(flags, session, isDryRun ? 'read' : 'write', (clusters) => {
    const doing = 'Reconciling fleet'
    const input = { clusters, settings, options: runOptionsOf(flags), doing, isDryRun }
    return pass(input, flags, context)
  })
}

export async function tell(passed: Pass, flags: Flags, { screen }: CommandContext): Promise<void> {
  const { run, summary, verified, code } = passed
  const problems = run.problems
  if (screen.format !== 'table') {
    const failures = problems.map(({ message, suggestion, code: name, ref, at }) => {
      return {
        code: name,
        message,
        ref: ref ?? null,
        suggestion: suggestion ?? null,
        at: at === undefined ? null : { ...at },
      }
    })
    await screen.document({
      dry_run: flags.isDryRun,
      exit_code: code,
      summary: documentOf(summary),
      verify: verified === undefined ? null : { ...verified, records: [...verified.records] },
      problems: failures,
    })
    return
  }
  if (problems.length > 0) screen.note(problemList(problems, screen.paint).join('\n'))
  const none = summary.length === 0 && verified !== undefined ? nothing : []
  screen.print(forReader([...none, ...summaryLines(summary)], screen, flags))
}

async function tellLast(flags: Flags, { session, screen }: CommandContext): Promise<number> {
  const entry = lastEntry(historyFileOf(flags, session, databaseOf(flags, session)))
  if (screen.format === 'table') screen.print(entryLines(entry))
  else await screen.document(entry)
  return 0
}
