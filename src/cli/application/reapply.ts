/** Applies once more what is in force: for repairs, and after a reboot. */
import type { Request } from '#engine/request.ts'
import { keyOf } from '#model/application.ts'
import type { Trigger } from '#model/event.ts'
import type { ApplicationRecord } from '#model/store.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext, Memory } from '../session.ts'
import { lastGood } from '#store/past.ts'
import { renderedAgain } from './rendered-again.ts'
import { requestFor } from './request.ts'

/** Undefined when nothing is kept that could be applied. */
export async function reapplyRequest(
  { application, since, source }: ApplicationRecord,
  trigger: Trigger,
  flags: Flags,
  context: CommandContext,
  { store, key }: Memory,
): Promise<Request | undefined> {
  const past = await lastGood(application, store)
  if (past === undefined) return undefined
  const seed = await context.session.seed(key, keyOf(application), since)
  /** The run may have waited for another one, so that other things are in force than were read here. */
  async function approve(): Promise<boolean> {
    const now = await lastGood(application, store)
    return now?.run.number === past?.run.number
  }
  return requestFor(application, flags, context, {
    trigger,
    since,
    source,
    revision: `run ${past.run.number}`,
    render: () => renderedAgain(application, past.snapshot, seed),
    approve,
  })
}
