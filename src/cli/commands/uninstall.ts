/** `tend uninstall`: removes what a chart made; volumes only when told to. */
import { usualKind } from '#kinds/all.ts'
import { installedAs } from '../application/installed.ts'
import { removeAll } from '../application/remove.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { soughtBy } from '../chart/named.ts'
import type { CommandContext } from '../session.ts'

export async function uninstall(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { store } = await context.session.memory()
  const [word = ''] = words
  const sought = await soughtBy(word, flags.namespace, store)
  const kind = (await installedAs(sought, store))?.application.kind ?? usualKind.name
  return removeAll(sought, { doing: `Uninstalling ${kind}`, subject: word }, flags, context)
}
