/** `compose up` and `compose plan`: one road, other words. */
import { refuse } from '../../application/refuse.ts'
import { requestFor } from '../../application/request.ts'
import { startRun, type Heading } from '../../application/start.ts'
import type { Flags } from '../../arguments/invocation.ts'
import { exitCodeOf } from '../../exit-code.ts'
import type { Desk } from '../../session.ts'
import { loadStack } from '../../stack/load.ts'

export async function applyStack(
  doing: string,
  flags: Flags,
  desk: Desk,
  more: Partial<Heading> = {},
): Promise<number> {
  const { session } = desk
  const memory = await session.memory()
  const { application, shown, rendered, ...about } = await loadStack(flags, session, memory)
  const heading = { doing, subject: shown, ...more }
  if (application === undefined) return refuse(rendered.problems, heading, flags, desk)
  const request = requestFor(application, flags, desk, { ...about, render: () => rendered })
  const story = await startRun(request, heading, flags, desk, memory)
  return exitCodeOf(story, flags.hasExitCode)
}
