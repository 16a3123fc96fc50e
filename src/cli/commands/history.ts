/** `tend history`: the runs of an application, newest first. */
import { tellHistory } from '../application/tell-history.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { soughtBy } from '../chart/named.ts'
import type { Desk } from '../session.ts'

export async function history({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const store = (await desk.session.memoryIfAny())?.store
  return tellHistory(await soughtBy(words[0]!, flags.namespace, store), desk)
}
