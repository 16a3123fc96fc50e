/** `compose up` and `compose plan`: the same steps with other words. */
import { ownerOf, type Application } from '#model/application.ts'
import { nameOf } from '#model/ref.ts'
import { reachFor } from '../../application/engine.ts'
import { refuse } from '../../application/refuse.ts'
import { requestFor } from '../../application/request.ts'
import { startRun, type Heading } from '../../application/start.ts'
import type { Flags } from '../../arguments/invocation.ts'
import { exitCodeOf } from '../../exit-code.ts'
import type { CommandContext, Memory } from '../../session.ts'
import { loadStack, type Stack } from '../../stack/load.ts'
import { checkPlace } from '../../stack/same-place.ts'
import { listed } from '../../views/labels.ts'

export async function applyStack(
  doing: string,
  flags: Flags,
  context: CommandContext,
  more: Partial<Heading> = {},
): Promise<number> {
  const { session } = context
  const memory = await session.memory()
  const { application, shown, rendered, ...about } = await loadStack(flags, session, memory)
  const heading = { doing, subject: shown, ...more }
  if (application === undefined) return refuse(rendered.problems, heading, flags, context)
  await checkPlace(application, flags, memory.store)
  if (flags.stack.adopts) await adopt(application, { ...about, rendered }, flags, context, memory)
  const request = requestFor(application, flags, context, { ...about, render: () => rendered })
  const summary = await startRun(request, heading, flags, context, memory)
  return exitCodeOf(summary, flags.hasExitCode)
}

/** Adoption is a change of its own. A dry run only plans as if it had been made. */
async function adopt(
  application: Application,
  { rendered, revision, since, source }: Omit<Stack, 'application' | 'shown'>,
  flags: Flags,
  context: CommandContext,
  memory: Memory,
): Promise<void> {
  const { session, screen, signal } = context
  if (rendered.problems.length > 0) return
  const { reached } = await reachFor(application, source, flags, context, memory)
  const owner = ownerOf(session.instance, application)
  const { version } = rendered
  const identity = { owner, application, version, revision, since }
  const at = flags.isDryRun ? undefined : session.clock.now()
  const taken = await reached.adopt?.(rendered, identity, { at, which: 'all' }, signal)
  if (taken === undefined) return
  const kept = taken.matching.map(nameOf)
  const adopted = flags.isDryRun ? 'Would adopt' : 'Adopted'
  if (kept.length > 0) screen.note(`${adopted} as they are: ${listed(kept)}`)
  for (const { ref, why } of taken.differing) {
    screen.note(
      `${adopted}, and ${flags.isDryRun ? 'make' : 'made'} anew: ${nameOf(ref)}, because ${why}`,
    )
  }
}
