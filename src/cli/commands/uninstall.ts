/** `tend uninstall`: removes what a chart made; volumes only when told to. */
import { installedAs } from '../application/installed.ts'
import { removeAll } from '../application/remove.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { soughtBy } from '../chart/named.ts'
import type { Desk } from '../session.ts'

export async function uninstall({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const { store } = await desk.session.memory()
  const [word = ''] = words
  const sought = await soughtBy(word, flags.namespace, store)
  const kind = (await installedAs(sought, store))?.application.kind ?? 'chart'
  return removeAll(sought, { doing: `Uninstalling ${kind}`, subject: word }, flags, desk)
}
