/** `tend compose history`: the runs of a stack, newest first. */
import { tellHistory } from '../../application/tell-history.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import type { Desk } from '../../session.ts'
import { soughtStack } from '../../stack/named.ts'

export async function composeHistory({ flags }: Invocation, desk: Desk): Promise<number> {
  const store = (await desk.session.memoryIfAny())?.store
  return tellHistory(await soughtStack(flags, desk, store), desk)
}
