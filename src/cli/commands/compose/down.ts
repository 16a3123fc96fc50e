/** `tend compose down`: removes what a stack made; volumes only when told to. */
import { removeAll } from '../../application/remove.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import type { CommandContext } from '../../session.ts'
import { soughtStack } from '../../stack/named.ts'
import { checkPlace } from '../../stack/same-place.ts'

export async function composeDown({ flags }: Invocation, context: CommandContext): Promise<number> {
  const { store } = await context.session.memory()
  const sought = await soughtStack(flags, context, store)
  const { name } = sought
  await checkPlace({ kind: 'stack', namespace: null, name }, flags, store)
  const heading = { doing: 'Taking down stack', subject: name }
  if (flags.isVerbose && !flags.pruneVolumes) {
    context.screen.note('Note: -v is --verbose here: volumes stay; --volumes removes them.')
  }
  return removeAll(sought, heading, flags, context)
}
