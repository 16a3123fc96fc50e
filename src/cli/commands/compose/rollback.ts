/** `tend compose rollback`: applies again what an earlier run of a stack applied. */
import { findInstalled } from '../../application/installed.ts'
import { rollBack } from '../../application/roll-back.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import type { CommandContext } from '../../session.ts'
import { soughtStack } from '../../stack/named.ts'

export async function composeRollback(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const memory = await context.session.memory()
  const record = await findInstalled(await soughtStack(flags, context, memory.store), memory.store)
  return rollBack(record, words[0], flags, context, memory)
}
