/** A token that is bound by labels waits until labels are known: neither a wrong refusal nor a wrong leave. */
import type { Clock } from '#model/clock.ts'
import { Problem } from '#model/problem.ts'
import type { Service } from '#model/service.ts'
import type { Caller } from './caller.ts'
import { goesByLabels, mayUse } from './scope.ts'

/** ms. A start takes a second or two; whoever asks longer is told to come again. */
const longest = 5_000
const pause = 50

type Known = Pick<Service, 'isReady' | 'labelsOf'>

/** `key`: of the application that is asked about; undefined: the answer is about all that the caller may see. */
export async function untilLabelsKnown(
  service: Known,
  clock: Pick<Clock, 'now' | 'sleep'>,
  caller: Caller,
  key: string | undefined,
  gone: AbortSignal,
): Promise<void> {
  if (!goesByLabels(caller)) return
  const isKnown = (): boolean =>
    key === undefined
      ? service.isReady()
      : mayUse(caller, key) || service.labelsOf(key) !== undefined
  const until = clock.now() + longest
  while (!isKnown()) {
    if (clock.now() >= until) throw notYet(key)
    await clock.sleep(pause, gone)
  }
}

function notYet(key: string | undefined): Problem {
  return new Problem({
    type: 'runtime',
    code: 'not_ready',
    message: `this token is bound by labels, and those of ${key ?? 'all applications'} are not read yet`,
    suggestion: 'try again in 1 s',
    recoverable: true,
  })
}
