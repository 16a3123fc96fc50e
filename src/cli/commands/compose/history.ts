/** `tend compose history`: the runs of a stack, newest first. */
import { tellHistory } from '../../application/tell-history.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import type { CommandContext } from '../../session.ts'
import { soughtStack } from '../../stack/named.ts'

export async function composeHistory(
  { flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const store = (await context.session.memoryIfAny())?.store
  return tellHistory(await soughtStack(flags, context, store), flags, context)
}
