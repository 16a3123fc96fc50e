/** One look at one container: does it run, is it well, did it end as it should; in a sentence that a person can act on. */
import type { Docker } from '#clients/docker/client.ts'
import { inspectContainer } from '#clients/docker/containers.ts'
import { lastLines } from '#clients/docker/logs.ts'
import { numberOf, recordOf, recordsOf, textOf } from '#clients/http/read.ts'
import type { Look } from '#model/domain.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { Gate } from '#model/plan.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Memory } from '../memory.ts'
import { factsIn } from '../operate/job.ts'
import { probe } from './probe.ts'
import { uptimeOf, type Sight } from './sight.ts'
import { readSubject, type Subject } from './subject.ts'

/** What ends within this time after its start did not really start, ms. */
const settling = 300
/** So much longer when it ended before and was started again. */
const settlingAgain = 2_000
/** Ends after which waiting makes no sense any more. */
const mostRestarts = 5
const shownLines = 15

export async function look(
  docker: Docker,
  memory: Memory,
  ref: Ref,
  subject: Json,
  gate: Gate,
  signal: AbortSignal,
): Promise<Look> {
  const about = readSubject(subject)
  if (kindOf(ref) !== 'container' || about === undefined || gate === 'none') {
    return { state: 'ok', message: 'it is there' }
  }
  const found = await inspectContainer(docker, about.name, signal)
  if (found === undefined) return { state: 'failed', message: 'it is gone' }
  const seen = await judge({ docker, memory, about, signal, found }, gate)
  if (seen.state !== 'failed') return seen
  const details = await lastLines(docker, about.name, shownLines, signal).catch(() => [])
  return { ...seen, details }
}

async function judge(sight: Sight, gate: Gate): Promise<Look> {
  const { found, about } = sight
  const state = recordOf(found['State'])
  const status = textOf(state['Status'])
  if (status === 'created' || status === 'initialized' || status === 'configured') {
    return { state: 'waiting', message: 'it has not started yet', againIn: 200 }
  }
  if (status !== 'running')
    return ended(about, status, numberOf(state['ExitCode']), restartsOf(found))
  if (gate === 'completed')
    return { state: 'waiting', message: 'it is still running', againIn: 1000 }
  if (hasCheck(found)) return health(sight)
  if (gate === 'healthy') {
    const message = 'it has no health check, and another service waits until it is healthy'
    return { state: 'failed', message }
  }
  const isAgain = restartsOf(found) > 0
  const left = (isAgain ? settlingAgain : settling) - uptimeOf(found)
  if (left <= 0) return { state: 'ok', message: 'it runs' }
  const message = isAgain ? 'it ended once and runs again' : 'it has just started'
  return { state: 'waiting', message, againIn: Math.max(20, left) }
}

/** The file's or the image's own. */
function hasCheck(found: JsonRecord): boolean {
  const { Test: test } = recordOf(recordOf(found['Config'])['Healthcheck'])
  return Array.isArray(test) && test.length > 0 && test[0] !== 'NONE'
}

async function health(sight: Sight): Promise<Look> {
  const { docker, memory, signal, found, about } = sight
  const { runsChecksWhenAsked } = await factsIn(docker, memory, signal)
  if (runsChecksWhenAsked) return probe(sight)
  const {
    Status: status,
    Log: log,
    FailingStreak: streak,
  } = recordOf(recordOf(found['State'])['Health'])
  if (status === 'healthy') return { state: 'ok', message: 'its health check passed' }
  const last = recordsOf(log).at(-1)
  const [line = ''] = textOf(last?.['Output']).trim().split('\n')
  const said = line === '' ? '' : `: ${line.slice(0, 200)}`
  if (status === 'unhealthy') {
    const message = `its health check failed${said} (${numberOf(streak)} tries)`
    // what the run changed may have mended it: the next check tells
    if (Date.now() < (about.patientUntil ?? 0)) return { state: 'waiting', message, againIn: 1000 }
    return { state: 'failed', message }
  }
  const message = last === undefined ? 'its health was not checked yet' : `not healthy yet${said}`
  return { state: 'waiting', message, againIn: 1000 }
}

function ended(about: Subject, status: string, code: number, restarts: number): Look {
  if (status === 'paused') return { state: 'failed', message: 'it is paused' }
  if (about.isOneShot && code === 0) return { state: 'ok', message: 'it ended with exit code 0' }
  const message = `it ended with exit code ${code}${meaning(code)}`
  if (!about.restarts) return { state: 'failed', message }
  if (restarts >= mostRestarts) {
    return { state: 'failed', message: `${message}, again and again (${restarts} times)` }
  }
  return { state: 'waiting', message, againIn: 300 }
}

function meaning(code: number): string {
  if (code === 127) return ' (command not found)'
  if (code === 126) return ' (command could not be run)'
  if (code === 137) return ' (killed, perhaps for want of memory)'
  return code === 143 ? ' (terminated)' : ''
}

function restartsOf(found: JsonRecord): number {
  return numberOf(found['RestartCount'])
}
