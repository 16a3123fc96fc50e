/** What may be asked of an application, and what may go on with it. */
import type { Trigger } from '#model/event.ts'
import type { Problem } from '#model/problem.ts'
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
  /** The run began, with what was expected of it. */
  readonly begun?: (() => void) | undefined
  /** There is no run: it would not be of what was expected. */
  refuse?(problem: Problem): void
}

/** Those of the asks that one run can answer: they expect the same of it. The others stay for the next one. */
export function askedTogether(asks: readonly Ask[]): readonly Ask[] {
  const first = asks.find(({ past }) => past !== undefined) ?? asks[0]
  const expected = JSON.stringify(first?.allowed?.expected)
  return asks.filter(({ allowed }) => JSON.stringify(allowed?.expected) === expected)
}

/** One ask in place of several. */
export function asOne(asks: readonly Ask[]): Ask | undefined {
  const ask = asks.find(({ past }) => past !== undefined) ?? asks[0]
  return (
    ask && {
      ...ask,
      begun: () => asks.forEach((one) => one.begun?.()),
      refuse: (problem) => asks.forEach((one) => one.refuse?.(problem)),
    }
  )
}
