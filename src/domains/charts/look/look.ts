/** One look at one container: does it run, is it well, did it end as it should; in a sentence that a person can act on. */
import type { Podman } from '#clients/podman/client.ts'
import { inspectContainer, lastLines } from '#clients/podman/containers.ts'
import { numberOf, recordOf, textOf } from '#clients/http/read.ts'
import type { Look } from '#model/domain.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { Gate } from '#model/plan.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import { probe } from './probe.ts'
import { uptimeOf, type Sight } from './sight.ts'
import { readSubject, type Subject } from './subject.ts'
import type { Memory } from '../memory.ts'

/** What ends within this time after its start did not really start, ms. */
const settling = 300
/** So much longer when it ended before and was started again. */
const settlingAgain = 2_000
/** Ends after which waiting makes no sense any more. */
const mostRestarts = 5
const shownLines = 15

export async function look(
  podman: Podman,
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
  const found = await inspectContainer(podman, about.name, signal)
  if (found === undefined) return { state: 'failed', message: 'it is gone' }
  const seen = await judge({ podman, memory, about, gate, signal, found })
  if (seen.state !== 'failed') return seen
  const details = await lastLines(podman, about.name, shownLines, signal).catch(() => [])
  return { ...seen, details }
}

async function judge(sight: Sight): Promise<Look> {
  const { found, about, gate } = sight
  const state = recordOf(found['State'])
  const status = textOf(state['Status'])
  if (status === 'created' || status === 'configured' || status === 'initialized') {
    return { state: 'waiting', message: 'it has not started yet', againIn: 200 }
  }
  if (status !== 'running')
    return ended(about, status, numberOf(state['ExitCode']), restartsOf(found))
  if (gate === 'completed')
    return { state: 'waiting', message: 'it is still running', againIn: 1000 }
  if (gate === 'healthy' && about.health !== undefined) return probe(sight)
  const isAgain = restartsOf(found) > 0
  const left = (isAgain ? settlingAgain : settling) - uptimeOf(found)
  if (left <= 0) return { state: 'ok', message: 'it runs' }
  const message = isAgain ? 'it ended once and runs again' : 'it has just started'
  return { state: 'waiting', message, againIn: Math.max(20, left) }
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
