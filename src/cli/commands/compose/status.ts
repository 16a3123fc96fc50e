/** `tend compose status`: how a stack is, and what drifted. */
import { findRunning } from '../../application/unknown-app.ts'
import { tellOneStatus } from '../../application/tell-status.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import type { CommandContext } from '../../session.ts'
import { soughtStack } from '../../stack/named.ts'

export async function composeStatus(
  { flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const store = (await context.session.memoryIfAny())?.store
  const record = await findRunning(await soughtStack(flags, context, store), flags, context, store)
  return tellOneStatus(record, flags, context)
}
