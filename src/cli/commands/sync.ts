/** `tend sync` and `tend ack`: have the service apply an application now. */
import type { Invocation } from '../arguments/invocation.ts'
import { kustomizationIn } from '../arguments/object-names.ts'
import { allowedBy, askApp, tellAnswer } from '../service/ask-app.ts'
import type { CommandContext } from '../session.ts'

export async function sync(invocation: Invocation, context: CommandContext): Promise<number> {
  const byService = () => syncByService(invocation, context)
  if (kustomizationIn(invocation.words[0] ?? '') === undefined) return byService()
  const { orOnObject } = await import('#cli/kube/verbs.ts')
  return orOnObject('sync', invocation, context, byService)
}

function syncByService(invocation: Invocation, context: CommandContext): Promise<number> {
  const { waits } = invocation.flags.service
  return askApp(invocation, context, 'sync', async (service, { key }) => {
    if (waits) context.screen.live?.draw([`Waiting for ${key}`])
    return tellAnswer(
      await service.sync(key, allowedBy(invocation.flags), waits, context.signal),
      waits,
      context,
    )
  })
}

export function ack(invocation: Invocation, context: CommandContext): Promise<number> {
  const { waits } = invocation.flags.service
  return askApp(invocation, context, 'be told so', async (service, { key }) => {
    const { status, outcome } = await service.acknowledge(key, waits, context.signal)
    const isNothing = waits && outcome === undefined && context.screen.format === 'table'
    if (!isNothing) return tellAnswer({ status, outcome }, waits, context)
    context.screen.print([`${key}: nothing waits for an acknowledgement`])
    return 0
  })
}
