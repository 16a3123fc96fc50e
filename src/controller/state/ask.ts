/** What may be asked of an application, and what may go on with it. */
import type { Trigger } from '#model/event.ts'
import type { Allowed, SyncAnswer } from '#model/service.ts'
import type { Past } from '#store/past.ts'

/** A run, the removal of everything, or help for what is not well. */
export type UnderWay = 'sync' | 'removal' | 'help'

export type Ask = {
  readonly trigger: Trigger
  /** What to go back to. */
  readonly past?: Past
  /** Said to be meant, for this run alone. */
  readonly allowed?: Allowed | undefined
  answer(answer: SyncAnswer): void
}
