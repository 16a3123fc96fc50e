/** A pause that a stop cuts short: whoever pauses looks at the signal by itself. */
import type { Clock } from '#model/clock.ts'

export async function sleepOrStop(
  clock: Pick<Clock, 'sleep'>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  // the only reason to reject is the signal
  await clock.sleep(milliseconds, signal).catch(() => undefined)
}
