/** `tend compose logs`: what the containers of services wrote. */
import { findRunning } from '../../application/unknown-app.ts'
import { tellKeptLogs, tellLogs } from '../../application/tell-logs.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import type { CommandContext } from '../../session.ts'
import { soughtStack } from '../../stack/named.ts'

export async function composeLogs(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const store = (await context.session.memoryIfAny())?.store
  const sought = await soughtStack(flags, context, store)
  if (flags.run !== undefined) {
    const application = { kind: 'stack', namespace: null, name: sought.name } as const
    return tellKeptLogs(application, words, flags.run, context)
  }
  return tellLogs(await findRunning(sought, flags, context, store), words, flags, context)
}
