/** `tend compose down`: removes what a stack made; volumes only when told to. */
import { removeAll } from '../../application/remove.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import type { Desk } from '../../session.ts'
import { soughtStack } from '../../stack/named.ts'
import { checkPlace } from '../../stack/same-place.ts'

export async function composeDown({ flags }: Invocation, desk: Desk): Promise<number> {
  const { store } = await desk.session.memory()
  const sought = await soughtStack(flags, desk, store)
  const { name } = sought
  await checkPlace({ kind: 'stack', namespace: null, name }, flags, store)
  const heading = { doing: 'Taking down stack', subject: name }
  if (flags.isVerbose && !flags.pruneVolumes) {
    desk.screen.note('Note: -v is --verbose here: volumes stay; --volumes removes them.')
  }
  return removeAll(sought, heading, flags, desk)
}
