/** When a repository is to be asked next. */
import type { Clock } from '#model/clock.ts'
import { backoff, mostTries, stillToCome } from '../decide/backoff.ts'

type AskingFacts = {
  readonly interval: number
  readonly failures: number
  readonly nextAsking: number | undefined
}

/** One that fails is asked again soon, then as often as ever; one that is asked only when told, a few times. */
export function nextAsking({ interval, failures }: AskingFacts, clock: Clock): number | undefined {
  const soon = backoff(failures, clock.random())
  if (interval > 0) return clock.now() + (failures === 0 ? interval : Math.min(soon, interval))
  return failures > 0 && failures < mostTries ? clock.now() + soon : undefined
}

/** When it is to be asked, however the clock was set meanwhile. */
export function askedAt(
  { nextAsking: next, interval }: AskingFacts,
  now: number,
): number | undefined {
  if (next === undefined) return undefined
  return interval > 0 && next - now > interval ? now : stillToCome(next, now, interval)
}
