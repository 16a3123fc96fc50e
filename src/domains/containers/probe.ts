/** Counts the failures of a health check that is run from here, as its spec says, where the engine runs none by itself. */
import type { InspectedContainer } from '#model/container-engine.ts'
import type { Look } from '#model/domain.ts'
import { engineTime, uptimeOf } from './look.ts'
import type { EngineMemory } from './memory.ts'

type CheckPace = {
  /** ms. */
  readonly interval: number
  /** Failures this soon after the start do not count, ms. */
  readonly startPeriod: number
  readonly retries: number
  /** What is said before this time, ms, is not the last word. */
  readonly patientUntil?: number | undefined
}

/** `failureOf`: runs the check; undefined when it is well. */
export async function probeWith(
  { probes, hanging }: Pick<EngineMemory, 'probes' | 'hanging'>,
  found: InspectedContainer,
  pace: CheckPace,
  failureOf: () => Promise<string | undefined>,
): Promise<Look> {
  const { id } = found
  const { interval, startPeriod, retries, patientUntil = 0 } = pace
  if (isFresh(found, interval)) return { state: 'ok', message: 'its health check passed' }
  const failure = await ended(hanging, found, failureOf)
  if (failure === undefined) {
    probes.delete(id)
    return { state: 'ok', message: 'its health check passed' }
  }
  const before = probes.get(id) ?? { failures: 0, countedAt: 0, probes: 0 }
  const now = Date.now()
  const isStarting = uptimeOf(found) < startPeriod
  const counts = !isStarting && now - before.countedAt >= interval
  const failures = before.failures + (counts ? 1 : 0)
  const countedAt = counts ? now : before.countedAt
  probes.set(id, { failures, countedAt, probes: before.probes + 1 })
  if (failures >= retries && now >= patientUntil) {
    return { state: 'failed', message: `${failure} (${failures} of ${retries} tries)` }
  }
  const tries = failures === 0 ? '' : ` (${failures} of ${retries} tries)`
  return {
    state: 'waiting',
    message: `${failure}${tries}`,
    againIn: paceOf(before.probes, interval),
  }
}

/** A check that was given up after this time hangs, ms. */
const longest = 5_000
/** So many that hang run at once in a container, and another one only after this time, ms. */
const mostHanging = 3
const rest = 10 * 60_000

/** Whoever gives a check up does not end it: the engine goes on with it, and each is a process of the host. */
async function ended(
  hanging: EngineMemory['hanging'],
  { id, startedAt }: InspectedContainer,
  failureOf: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const key = `${id} ${startedAt}`
  const { count, at } = hanging.get(key) ?? { count: 0, at: 0 }
  const begun = Date.now()
  if (count >= mostHanging && begun - at < rest)
    return `its last ${count} health checks did not end`
  try {
    const failure = await failureOf()
    hanging.delete(key)
    return failure
  } catch (error) {
    const now = Date.now()
    if (now - begun >= longest) hanging.set(key, { count: count + 1, at: now })
    throw error
  }
}

/** What a check that was run said, in words. */
export function failureIn(output: string | undefined): string {
  if (output === undefined) return 'it stopped while its health was checked'
  const [line = ''] = output.split('\n')
  return line === '' ? 'its health check failed' : `its health check failed: ${line.slice(0, 200)}`
}

/** Quick at first, so that waiting is short, then slower; never slower than the interval says. */
function paceOf(probes: number, interval: number): number {
  return Math.min(100 * 1.5 ** probes, 2_000, interval)
}

/** Where a timer of the engine runs the check, its last good answer will do. */
function isFresh(found: InspectedContainer, interval: number): boolean {
  const { status, last } = found.health
  if (status !== 'healthy' || last === undefined) return false
  const age = engineTime(found) - last.endedAt
  return age >= 0 && age < Math.min(interval, 5_000) && last.exitCode === 0
}
