/** `tend compose rollback`: applies again what an earlier run of a stack applied. */
import { findInstalled } from '../../application/installed.ts'
import { rollBack } from '../../application/roll-back.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import type { Desk } from '../../session.ts'
import { soughtStack } from '../../stack/named.ts'

export async function composeRollback({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const memory = await desk.session.memory()
  const record = await findInstalled(await soughtStack(flags, desk, memory.store), memory.store)
  return rollBack(record, words[0], flags, desk, memory)
}
