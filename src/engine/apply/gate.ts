/** Waits until a resource is started, healthy or completed: by events where they come, else when the look asks to look again. */
import type { Clock } from '#model/clock.ts'
import type { Look, Target } from '#model/domain.ts'
import type { Json } from '#model/json.ts'
import type { Gate } from '#model/plan.ts'
import { Problem, problemOf } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { WatchFeed } from './watch-feed.ts'

const longestWait = 1_000

export type Watched = {
  readonly ref: Ref
  readonly subject: Json
  readonly gate: Gate
  readonly timeout: number
}

export async function passGate(
  watched: Watched,
  parts: { readonly target: Target; readonly clock: Clock; readonly feed: WatchFeed },
  signal: AbortSignal,
  report: (text: string) => void,
): Promise<void> {
  const { ref, subject, gate, timeout } = watched
  const { target, clock, feed } = parts
  const began = clock.now()
  for (;;) {
    const heard = feed.next(ref)
    const look = await seen(target.look(ref, subject, gate, signal), signal)
    if (look.state === 'ok') return
    const spent = clock.now() - began
    if (look.state === 'failed') throw notPassed(watched, look, spent)
    report(look.message)
    const left = timeout - spent
    if (left <= 0) throw notPassed(watched, look, spent, target.timeoutName ?? '--timeout')
    await either(heard, clock, Math.min(look.againIn ?? longestWait, left), signal)
  }
}

/** A look that did not get through says nothing about health, so it is taken again. */
async function seen(looking: Promise<Look>, signal: AbortSignal): Promise<Look> {
  try {
    return await looking
  } catch (thrown) {
    const problem = problemOf(thrown)
    if (signal.aborted || !problem.recoverable) throw problem
    return { state: 'waiting', message: problem.message }
  }
}

async function either(
  heard: Promise<void>,
  clock: Clock,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  const early = new AbortController()
  const slept = clock.sleep(milliseconds, AbortSignal.any([signal, early.signal]))
  try {
    await Promise.race([heard, slept])
  } finally {
    early.abort()
    // the sleep was ended on purpose
    await slept.catch(() => undefined)
  }
  signal.throwIfAborted()
}

const wishes = { none: 'ready', started: 'started', healthy: 'healthy', completed: 'completed' }

function notPassed(
  { ref, gate }: Watched,
  look: Look,
  spent: number,
  /** The name of the limit that was exceeded, for the message. */
  limit?: string,
): Problem {
  const after = `${(spent / 1000).toFixed(1)}s`
  const isExit = limit === undefined && gate !== 'healthy'
  const more = limit === undefined ? '' : ` (${limit} gives it longer)`
  return new Problem({
    type: 'runtime',
    code: limit !== undefined ? 'timed_out' : isExit ? 'exited' : 'unhealthy',
    message: isExit ? look.message : `not ${wishes[gate]} after ${after}: ${look.message}${more}`,
    ref,
    details: look.details,
  })
}
