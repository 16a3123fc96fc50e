/** `tend forget`: an application that is gone from its source is listed no more. */
import type { Invocation } from '../arguments/invocation.ts'
import { askApp } from '../service/ask-app.ts'
import type { CommandContext } from '../session.ts'

export function forget(invocation: Invocation, context: CommandContext): Promise<number> {
  const { screen, signal } = context
  return askApp(invocation, context, 'forget', async (service, { key }) => {
    const { containers } = await service.set('forget', key, signal)
    const { running } = containers
    if (screen.format !== 'table') await screen.document({ key, running })
    else {
      const left = running === 1 ? '1 container of it runs' : `${running} containers of it run`
      screen.print([
        `${key}: forgotten${running === 0 ? '' : `; ${left} on, and nobody looks after it`}`,
      ])
    }
    return 0
  })
}
