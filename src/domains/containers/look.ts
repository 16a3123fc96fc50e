/** One look at one container: does it run, is it well, did it end as it should; in a sentence that a person can act on. */
import type { ContainerEngine, InspectedContainer } from '#model/container-engine.ts'
import type { Look } from '#model/domain.ts'
import type { Gate } from '#model/plan.ts'

/** Of one that runs; undefined when there is nothing to check. */
type HealthLook = (found: InspectedContainer) => Promise<Look> | Look | undefined

type Expectation = {
  /** Of the container, or its id. */
  readonly name: string
  /** Ending well is well. */
  readonly isOneShot: boolean
  /** The engine starts it again when it ends. */
  readonly restarts: boolean
}

/** What ends within this time after its start did not really start, ms. */
const settling = 300
/** So much longer when it ended before and was started again. */
const settlingAgain = 2_000
/** Ends after which waiting makes no sense any more. */
const mostRestarts = 5
const shownLines = 15
/** What a run makes it starts soon; what was made so long ago and not started is not going to be, ms. */
const longestUnstarted = 30_000
export const neverStarted = 'it was made, and never started'

export async function lookAt(
  engine: Pick<ContainerEngine, 'inspectContainer' | 'lastLines'>,
  expected: Expectation,
  gate: Gate,
  healthOf: HealthLook,
  signal: AbortSignal,
): Promise<Look> {
  const { name } = expected
  const found = await engine.inspectContainer(name, signal)
  if (found === undefined) return { state: 'failed', message: 'it is gone' }
  const seen = { ...(await judge(healthOf, expected, gate, found)), ...factsIn(found) }
  if (seen.state !== 'failed') return seen
  // only the last lines are missing from the message
  const details = await engine.lastLines(found.id, shownLines, signal).catch(() => [])
  return { ...seen, details }
}

function factsIn({
  state,
  exitCode,
  restartCount,
}: InspectedContainer): Pick<Look, 'restartCount' | 'exitCode'> {
  return state === 'running' && restartCount === 0 ? { restartCount } : { restartCount, exitCode }
}

/** Since its last start, ms. */
export function uptimeOf(found: InspectedContainer): number {
  return engineTime(found) - found.startedAt
}

/** What an engine tells is by its clock, and its machine's may be another one than ours. */
export function engineTime({ ahead = 0 }: Pick<InspectedContainer, 'ahead'>): number {
  return Date.now() + ahead
}

async function judge(
  healthOf: HealthLook,
  expected: Expectation,
  gate: Gate,
  found: InspectedContainer,
): Promise<Look> {
  const { state } = found
  if (isUnstarted(state)) return unstarted(found)
  if (state !== 'running') return ended(expected, found)
  if (gate === 'completed')
    return { state: 'waiting', message: 'it is still running', againIn: 1000 }
  return (await healthOf(found)) ?? settled(found, found.restartCount > 0)
}

/** Not every engine says why it could not start one: it never started, then. */
function unstarted(found: InspectedContainer): Look {
  const { startError, createdAt } = found
  if (startError !== '') return { state: 'failed', message: startWords(startError) }
  if (engineTime(found) - createdAt > longestUnstarted)
    return { state: 'failed', message: neverStarted }
  return { state: 'waiting', message: 'it has not started yet', againIn: 200 }
}

function settled(found: InspectedContainer, isAgain: boolean): Look {
  const left = (isAgain ? settlingAgain : settling) - uptimeOf(found)
  if (left <= 0) return { state: 'ok', message: 'it runs' }
  const message = isAgain ? 'it ended once and runs again' : 'it has just started'
  return { state: 'waiting', message, againIn: Math.max(20, left) }
}

function ended(expected: Expectation, found: InspectedContainer): Look {
  const { exitCode: code, restartCount: restarts, startError } = found
  if (found.state === 'paused') return { state: 'failed', message: 'it is paused' }
  if (startError !== '') return { state: 'failed', message: startWords(startError) }
  if (expected.isOneShot && code === 0) return { state: 'ok', message: 'it ended with exit code 0' }
  const message = `it ended with exit code ${code}${meaningOf(code)}`
  if (!expected.restarts) return { state: 'failed', message }
  if (restarts >= mostRestarts) {
    return { state: 'failed', message: `${message}, again and again (${restarts} times)` }
  }
  return { state: 'waiting', message, againIn: 300 }
}

/** It was made, and never ran. */
export function isUnstarted(state: string): boolean {
  return ['created', 'configured', 'initialized'].includes(state)
}

function startWords(startError: string): string {
  return `it could not be started: ${startError.trim()}`
}

export function meaningOf(code: number): string {
  if (code === 127) return ' (command not found)'
  if (code === 126) return ' (command could not be run)'
  if (code === 137) return ' (killed, perhaps for want of memory)'
  return code === 143 ? ' (terminated)' : ''
}
