/** `tend status`: how one application is, or all of them. */
import { tellOneStatus, tellStatus } from '../application/tell-status.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { chosen } from '../chart/named.ts'
import type { Desk } from '../session.ts'

export async function status({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const store = (await desk.session.memoryIfAny())?.store
  const records = await chosen(words, flags.namespace, store)
  const [only] = words.length === 1 ? records : []
  return only === undefined ? tellStatus(records, flags, desk) : tellOneStatus(only, flags, desk)
}
