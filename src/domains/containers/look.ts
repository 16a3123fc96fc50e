/** One look at one container: does it run, is it well, did it end as it should; in a sentence that a person can act on. */
import { numberOf, recordOf, textOf } from '#clients/http/read.ts'
import type { Look } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Gate } from '#model/plan.ts'

export type Eyes = {
  readonly inspect: () => Promise<JsonRecord | undefined>
  readonly lastLines: (count: number) => Promise<readonly string[]>
  /** Of one that runs; undefined when there is nothing to check. */
  readonly health: (found: JsonRecord) => Promise<Look> | Look | undefined
}

export type Expectation = {
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

export async function lookThrough(eyes: Eyes, expected: Expectation, gate: Gate): Promise<Look> {
  const found = await eyes.inspect()
  if (found === undefined) return { state: 'failed', message: 'it is gone' }
  const seen = { ...(await judge(eyes, expected, gate, found)), ...factsIn(found) }
  if (seen.state !== 'failed') return seen
  const details = await eyes.lastLines(shownLines).catch(() => [])
  return { ...seen, details }
}

function factsIn(found: JsonRecord): Pick<Look, 'restartCount' | 'exitCode'> {
  const { Status: status, ExitCode: exitCode } = recordOf(found['State'])
  const restartCount = numberOf(found['RestartCount'])
  return status === 'running' && restartCount === 0
    ? { restartCount }
    : { restartCount, exitCode: numberOf(exitCode) }
}

/** Since its last start, ms. */
export function uptimeOf(found: JsonRecord): number {
  return Date.now() - Date.parse(textOf(recordOf(found['State'])['StartedAt']))
}

async function judge(
  eyes: Eyes,
  expected: Expectation,
  gate: Gate,
  found: JsonRecord,
): Promise<Look> {
  const state = recordOf(found['State'])
  const status = textOf(state['Status'])
  if (['created', 'configured', 'initialized'].includes(status)) {
    return { state: 'waiting', message: 'it has not started yet', againIn: 200 }
  }
  const restarts = numberOf(found['RestartCount'])
  if (status !== 'running') return ended(expected, status, numberOf(state['ExitCode']), restarts)
  if (gate === 'completed')
    return { state: 'waiting', message: 'it is still running', againIn: 1000 }
  return (await eyes.health(found)) ?? settled(found, restarts > 0)
}

function settled(found: JsonRecord, isAgain: boolean): Look {
  const left = (isAgain ? settlingAgain : settling) - uptimeOf(found)
  if (left <= 0) return { state: 'ok', message: 'it runs' }
  const message = isAgain ? 'it ended once and runs again' : 'it has just started'
  return { state: 'waiting', message, againIn: Math.max(20, left) }
}

function ended(expected: Expectation, status: string, code: number, restarts: number): Look {
  if (status === 'paused') return { state: 'failed', message: 'it is paused' }
  if (expected.isOneShot && code === 0) return { state: 'ok', message: 'it ended with exit code 0' }
  const message = `it ended with exit code ${code}${meaningOf(code)}`
  if (!expected.restarts) return { state: 'failed', message }
  if (restarts >= mostRestarts) {
    return { state: 'failed', message: `${message}, again and again (${restarts} times)` }
  }
  return { state: 'waiting', message, againIn: 300 }
}

export function meaningOf(code: number): string {
  if (code === 127) return ' (command not found)'
  if (code === 126) return ' (command could not be run)'
  if (code === 137) return ' (killed, perhaps for want of memory)'
  return code === 143 ? ' (terminated)' : ''
}
