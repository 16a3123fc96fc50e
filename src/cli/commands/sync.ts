/** `tend sync` and `tend ack`: have the service apply an application now. */
import type { Invocation } from '../arguments/invocation.ts'
import { kustomizationIn } from '../arguments/object-words.ts'
import { allowedBy, askApp, tellAnswer } from '../service/ask-app.ts'
import type { Desk } from '../session.ts'

export async function sync(invocation: Invocation, desk: Desk): Promise<number> {
  const byService = () => syncByService(invocation, desk)
  if (kustomizationIn(invocation.words[0] ?? '') === undefined) return byService()
  const { orOnObject } = await import('#cli/kube/verbs.ts')
  return orOnObject('sync', invocation, desk, byService)
}

function syncByService(invocation: Invocation, desk: Desk): Promise<number> {
  const { waits } = invocation.flags.service
  return askApp(invocation, desk, 'sync', async (service, { key }) => {
    if (waits) desk.screen.live?.draw([`Waiting for ${key}`])
    return tellAnswer(
      await service.sync(key, allowedBy(invocation.flags), waits, desk.signal),
      waits,
      desk,
    )
  })
}

export function ack(invocation: Invocation, desk: Desk): Promise<number> {
  const { waits } = invocation.flags.service
  return askApp(invocation, desk, 'be told so', async (service, { key }) => {
    const { status, outcome } = await service.acknowledge(key, waits, desk.signal)
    const isNothing = waits && outcome === undefined && desk.screen.format === 'table'
    if (!isNothing) return tellAnswer({ status, outcome }, waits, desk)
    desk.screen.print([`${key}: nothing waits for an acknowledgement`])
    return 0
  })
}
