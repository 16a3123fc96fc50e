/** What a gate of a stack waits for. */
import type { Docker } from '#clients/docker/client.ts'
import { dockerEngine } from '#clients/docker/container-engine.ts'
import { lookAt } from '#domains/containers/look.ts'
import type { InspectedContainer } from '#model/container-engine.ts'
import type { Look } from '#model/domain.ts'
import type { Json } from '#model/json.ts'
import type { Gate } from '#model/plan.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Memory } from '../memory.ts'
import { factsIn } from '../operate/job.ts'
import { probe } from './probe.ts'
import type { LookContext } from './look-context.ts'
import { readSubject } from './subject.ts'

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
  const check = (found: InspectedContainer): Promise<Look> | Look | undefined =>
    found.hasCheck ? health({ docker, memory, about, signal, found }) : unchecked(gate)
  // of what was made from here, whoever has its name by now
  const name = memory.made.get(about.name) ?? about.name
  return lookAt(dockerEngine(docker), { ...about, name }, gate, check, signal)
}

function unchecked(gate: Gate): Look | undefined {
  if (gate !== 'healthy') return undefined
  const message = 'it has no health check, and another service waits until it is healthy'
  return { state: 'failed', message }
}

async function health(context: LookContext): Promise<Look> {
  const { docker, memory, signal, found, about } = context
  const { runsChecksWhenAsked } = await factsIn(docker, memory, signal)
  if (runsChecksWhenAsked) return probe(context)
  const { status, last, failingStreak } = found.health
  if (status === 'healthy') return { state: 'ok', message: 'its health check passed' }
  const [line = ''] = (last?.output ?? '').trim().split('\n')
  const said = line === '' ? '' : `: ${line.slice(0, 200)}`
  if (status === 'unhealthy') {
    const message = `its health check failed${said} (${failingStreak} tries)`
    // what the run changed may have mended it: the next check tells
    if (Date.now() < (about.patientUntil ?? 0)) return { state: 'waiting', message, againIn: 1000 }
    return { state: 'failed', message }
  }
  const message = last === undefined ? 'its health was not checked yet' : `not healthy yet${said}`
  return { state: 'waiting', message, againIn: 1000 }
}
