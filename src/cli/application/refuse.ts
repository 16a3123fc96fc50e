/** Tells what is wrong with an input whose very name can't be read, as a run that was refused. */
import type { Event } from '#model/event.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Flags } from '../arguments/invocation.ts'
import { exitCodeOf } from '../exit-code.ts'
import type { CommandContext } from '../session.ts'
import { showRun } from '../show-run.ts'
import { viewOptionsOf, tellDocument, type Heading } from './start.ts'

export async function refuse(
  problems: readonly ProblemFacts[],
  heading: Heading,
  flags: Flags,
  context: CommandContext,
): Promise<number> {
  const at = context.session.clock.now()
  const summary = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0, skipped: 0 }
  async function* events(): AsyncIterable<Event> {
    for (const problem of problems) yield { at, type: 'problem', problem }
    yield { at, type: 'ended', outcome: 'refused', isRolledBack: false, summary, milliseconds: 0 }
  }
  const run = await showRun(
    events(),
    viewOptionsOf(heading, flags, context, undefined),
    context.screen,
  )
  await tellDocument(run, context)
  return exitCodeOf(run, false)
}
