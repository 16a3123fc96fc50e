/** `tend status` of an application that only the service can look at. */
import type { JsonRecord } from '#model/json.ts'
import { isUnwell, type AppStatus } from '#model/service.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'
import { statusExitCode } from '../status-exit-code.ts'
import { appLines } from '../views/apps.ts'
import { harmless } from '../views/paint.ts'

/** Gives 0 when the application is as declared and well, else 1. With --exit-code the number says what is wrong. */
export async function tellAppStatus(
  app: AppStatus,
  { hasExitCode }: Flags,
  { screen, session }: CommandContext,
): Promise<number> {
  const isWell = app.state === 'synced' && !isUnwell(app)
  const exit = hasExitCode && app.state !== 'failed' ? statusExitCode([app]) : isWell ? 0 : 1
  if (screen.format !== 'table') {
    const json: JsonRecord = JSON.parse(JSON.stringify(app))
    await screen.document(json)
    return exit
  }
  screen.print(appLines([app], session.clock.now(), screen.paint))
  if (app.reason !== '') screen.print([harmless(app.reason)])
  return exit
}
