/** Two runs of one application never overlap: this one waits for the other, and says who it is. */
import { keyOf } from '#model/application.ts'
import { Problem } from '#model/problem.ts'
import type { Emit } from './apply/apply-context.ts'
import type { Lease } from '#model/store.ts'
import type { Parts, Request } from './request.ts'

const pause = 250

export async function withLease<Result>(
  request: Request,
  { leases, clock }: Parts,
  signal: AbortSignal,
  emit: Emit,
  work: (stop: AbortSignal, lease: Lease) => Promise<Result>,
): Promise<Result> {
  const { application, holder, options } = request
  const deadline = clock.now() + options.timeout
  for (let isTold = false; ; isTold = true) {
    const taken = await leases.take(keyOf(application), holder)
    if ('release' in taken) {
      try {
        return await work(AbortSignal.any([signal, taken.lost]), taken)
      } finally {
        // one that can't be given back ends by itself, and what the run did is done
        await taken.release().catch(() => undefined)
      }
    }
    if (!isTold) emit({ type: 'held', by: taken.name, since: taken.since })
    if (clock.now() >= deadline) {
      throw new Problem({
        type: 'runtime',
        code: 'held',
        message: `another run of ${application.name} goes on: ${taken.name}`,
        suggestion: 'wait for it to end, or end it; a killed one lets go by itself within seconds',
      })
    }
    await clock.sleep(pause, signal)
  }
}
