/** `tend fleet reconcile`: reality is made to match the table, once or again and again. */
import type { Wishes } from '#domains/fleet/site.ts'
import type { Trigger } from '#model/event.ts'
import { usageProblem } from '../../arguments/usage.ts'
import type { Flags, Invocation } from '../../arguments/invocation.ts'
import { append, documentOf, entryOf, historyFile, lastEntry } from '../../fleet/history.ts'
import { databaseOf, withClusters } from '../../fleet/open.ts'
import { pass, type Pass, type PassInput } from '../../fleet/pass.ts'
import { report } from '../../fleet/report.ts'
import { settingsFor } from '../../fleet/settings.ts'
import { entryLines, forReader, nothing, summaryLines } from '../../fleet/view.ts'
import { localTime } from '../../views/manner.ts'
import { problemList } from '../../views/problems.ts'
import type { Desk } from '../../session.ts'

export async function fleetReconcile({ flags }: Invocation, desk: Desk): Promise<number> {
  const { fleet } = flags
  if (fleet.isLastRun) return tellLast(flags, desk)
  const isFromDb = fleet.isFromDb || fleet.loops || flags.isDryRun
  if (!isFromDb && !fleet.prunesMissing) {
    throw usageProblem(
      'say what to do',
      '--from-db makes reality match the table, --prune-missing removes rows without clusters, --dry-run shows',
    )
  }
  if (!fleet.loops) return once(flags, desk)
  for (let runs = 1; ; runs += 1) {
    const code = await once(flags, desk)
    if (code !== 0 || desk.signal.aborted) return code
    if (fleet.maxRuns !== undefined && runs >= fleet.maxRuns) return 0
    const next = localTime(desk.session.clock.now() + fleet.interval)
    desk.screen.note(`The next pass is at ${next}`)
    await desk.session.clock.sleep(fleet.interval, desk.signal)
  }
}

export function wishesOf({ fleet, isDryRun, allowMassDelete }: Flags): Wishes {
  const isFromDb = fleet.isFromDb || fleet.loops || (isDryRun && !fleet.prunesMissing)
  return {
    mode: isFromDb ? 'reconcile' : 'prune',
    prunesAbsent: fleet.prunesMissing,
    isAll: false,
    recreates: fleet.recreates,
    allowsMassDelete: allowMassDelete,
  }
}

async function once(flags: Flags, desk: Desk): Promise<number> {
  const passed = await reconcileOnce(flags, desk)
  await tell(passed, flags, desk)
  return passed.code
}

/** One pass, written down. */
export async function reconcileOnce(
  flags: Flags,
  desk: Desk,
  hear?: PassInput['hear'],
  trigger?: Trigger,
): Promise<Pass> {
  const { session } = desk
  const began = session.clock.now()
  const database = databaseOf(flags, session)
  const settings = settingsFor(flags, database)
  const access = flags.isDryRun ? 'read' : 'write'
  return withClusters(flags, session, access, async (clusters) => {
    const wishes = wishesOf(flags)
    const { isDryRun } = flags
    const input = { clusters, settings, wishes, doing: 'Reconciling fleet', isDryRun }
    const heard = hear === undefined ? {} : { hear }
    const begun = trigger === undefined ? {} : { trigger }
    const passed = await pass({ ...input, ...heard, ...begun }, flags, desk)
    const file = historyFile(flags, session, database)
    const entry = entryOf(passed, flags, session, { file, began })
    append(file, entry, desk)
    if (flags.fleet.report !== undefined) {
      const status = passed.code === 0 ? 'success' : 'failed'
      report(flags.fleet.report, { status, log: file, entry }, desk)
    }
    return passed
  })
}

export async function tell(passed: Pass, flags: Flags, { screen }: Desk): Promise<void> {
  const { story, summary, verified, code } = passed
  const problems = story.problems
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

async function tellLast(flags: Flags, { session, screen }: Desk): Promise<number> {
  const entry = lastEntry(historyFile(flags, session, databaseOf(flags, session)))
  if (screen.format === 'table') screen.print(entryLines(entry))
  else await screen.document(entry)
  return 0
}
