/** `tend logs`: what a container wrote; of a failed run, what was kept when it fell. */
import { findRunning } from '../application/unknown-app.ts'
import { tellKeptLogs, tellLogs } from '../application/tell-logs.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { kustomizationIn } from '../arguments/object-names.ts'
import { applicationFor, soughtBy } from '../chart/named.ts'
import type { CommandContext } from '../session.ts'

export async function logs(invocation: Invocation, context: CommandContext): Promise<number> {
  const { words, flags } = invocation
  const [word = '', ...containers] = words
  const store = (await context.session.memoryIfAny())?.store
  if (flags.run !== undefined) {
    const application = await applicationFor(word, flags.namespace, store)
    return tellKeptLogs(application, containers, flags.run, context)
  }
  const { serviceLogs } = await import('#cli/service/service-logs.ts')
  const { onlyByService, serviceFirst } = await import('#cli/service/ask-if-known.ts')
  return serviceFirst(word, flags, context, serviceLogs(invocation, context), async () => {
    if (kustomizationIn(word) !== undefined) throw onlyByService(word)
    const sought = await soughtBy(word, flags.namespace, store)
    return tellLogs(await findRunning(sought, flags, context, store), containers, flags, context)
  })
}
