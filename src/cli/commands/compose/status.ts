/** `tend compose status`: how a stack is, and what drifted. */
import { findRunning } from '../../application/forgotten.ts'
import { tellOneStatus } from '../../application/tell-status.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import type { Desk } from '../../session.ts'
import { soughtStack } from '../../stack/named.ts'

export async function composeStatus({ flags }: Invocation, desk: Desk): Promise<number> {
  const store = (await desk.session.memoryIfAny())?.store
  const record = await findRunning(await soughtStack(flags, desk, store), flags, desk, store)
  return tellOneStatus(record, flags, desk)
}
