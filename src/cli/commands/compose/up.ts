/** `tend compose up`: makes what a Compose file declares, and changes only what differs. */
import type { Invocation } from '../../arguments/invocation.ts'
import type { CommandContext } from '../../session.ts'
import { applyStack } from './apply.ts'

export function composeUp({ flags }: Invocation, context: CommandContext): Promise<number> {
  return applyStack('Bringing up stack', flags, context)
}
