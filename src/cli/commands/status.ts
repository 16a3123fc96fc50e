/** `tend status`: how one application is, or all of them. */
import { findRunning } from '../application/forgotten.ts'
import { allInstalled } from '../application/installed.ts'
import { tellOneStatus, tellStatus } from '../application/tell-status.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { soughtBy } from '../chart/named.ts'
import type { Desk } from '../session.ts'

export async function status({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const store = (await desk.session.memoryIfAny())?.store
  const { namespace } = flags
  const named = words.map(async (word) =>
    findRunning(await soughtBy(word, namespace, store), flags, desk, store),
  )
  const records =
    words.length === 0 ? await allInstalled(namespace, store) : await Promise.all(named)
  const [only] = words.length === 1 ? records : []
  return only === undefined ? tellStatus(records, flags, desk) : tellOneStatus(only, flags, desk)
}
