/** When an application was first installed, where the history does not know: the labels of what runs tell it too. */
import { keyOf, type Application } from '#model/application.ts'
import type { ApplicationRecord } from '#model/store.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Session } from '../session.ts'

/** Labels tell it where the history is lost, so that a render sees the same time. */
export async function installedSince(
  application: Application | undefined,
  flags: Flags,
  session: Session,
  known: ApplicationRecord | undefined,
): Promise<number> {
  if (application === undefined || known !== undefined) return session.clock.now()
  try {
    const reached = await session.reach(flags, application.kind)
    const recalled = await reached.recall?.(AbortSignal.timeout(2_000))
    const found = recalled?.find((one) => keyOf(one.application) === keyOf(application))
    return found?.since ?? session.clock.now()
  } catch {
    // without the engine's answer the application is as old as this moment
    return session.clock.now()
  }
}
