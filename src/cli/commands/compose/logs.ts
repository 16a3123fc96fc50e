/** `tend compose logs`: what the containers of services wrote. */
import { findRunning } from '../../application/forgotten.ts'
import { tellKeptLogs, tellLogs } from '../../application/tell-logs.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import type { Desk } from '../../session.ts'
import { soughtStack } from '../../stack/named.ts'

export async function composeLogs({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const store = (await desk.session.memoryIfAny())?.store
  const sought = await soughtStack(flags, desk, store)
  if (flags.run !== undefined) {
    const application = { kind: 'stack', namespace: null, name: sought.name } as const
    return tellKeptLogs(application, words, flags.run, desk)
  }
  return tellLogs(await findRunning(sought, flags, desk, store), words, flags, desk)
}
