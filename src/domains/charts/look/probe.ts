/** Runs a health check, and counts failures as its spec says; without systemd Podman runs none by itself. */
import { runHealthCheck, type CheckResult } from '#clients/podman/containers.ts'
import { recordOf, recordsOf, textOf } from '#clients/http/read.ts'
import { uptimeOf } from '#domains/containers/look.ts'
import type { Look } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { answerOf } from './http.ts'
import type { Sight } from './sight.ts'
import type { HealthSpec } from '../spec.ts'

export async function probe(sight: Sight): Promise<Look> {
  const { found, memory } = sight
  const health = sight.about.health!
  const id = textOf(found['Id'])
  if (isFresh(found, health)) return { state: 'ok', message: 'its health check passed' }
  const failure = await failureOf(sight, health)
  if (failure === undefined) {
    memory.probes.delete(id)
    return { state: 'ok', message: 'its health check passed' }
  }
  const before = memory.probes.get(id) ?? { failures: 0, countedAt: 0, probes: 0 }
  const now = Date.now()
  const isStarting = uptimeOf(found) < health.startPeriodSeconds * 1000
  const counts = !isStarting && now - before.countedAt >= health.intervalSeconds * 1000
  const failures = before.failures + (counts ? 1 : 0)
  const countedAt = counts ? now : before.countedAt
  memory.probes.set(id, { failures, countedAt, probes: before.probes + 1 })
  if (failures >= health.retries) {
    return { state: 'failed', message: `${failure} (${failures} of ${health.retries} tries)` }
  }
  const tries = failures === 0 ? '' : ` (${failures} of ${health.retries} tries)`
  return { state: 'waiting', message: `${failure}${tries}`, againIn: paceOf(before.probes, health) }
}

/** Quick at first, so that waiting is short, then slower; never slower than the interval says. */
function paceOf(probes: number, health: HealthSpec): number {
  return Math.min(100 * 1.5 ** probes, 2_000, health.intervalSeconds * 1000)
}

/** Where Podman runs the check itself, its last good answer will do. */
function isFresh(found: JsonRecord, health: HealthSpec): boolean {
  const state = recordOf(recordOf(found['State'])['Health'])
  const last = recordsOf(state['Log']).at(-1)
  if (textOf(state['Status']) !== 'healthy' || last === undefined) return false
  const age = Date.now() - Date.parse(textOf(last['End']))
  return age >= 0 && age < Math.min(health.intervalSeconds, 5) * 1000 && last['ExitCode'] === 0
}

/** Undefined when it is well. Over HTTP the answer says more than a command's exit code. */
async function failureOf(sight: Sight, health: HealthSpec): Promise<string | undefined> {
  const { podman } = sight
  const answer =
    health.http === undefined || !podman.isLocal
      ? undefined
      : await answerOf(sight, health.http, health)
  if (answer?.kind === 'answered') {
    const isGood = answer.status >= 200 && answer.status < 400
    return isGood ? undefined : `GET ${health.http?.path} answered ${answer.status}`
  }
  const result = await checked(sight)
  if (result === undefined) return 'it stopped while its health was checked'
  if (result.isHealthy) return undefined
  if (answer !== undefined && health.http !== undefined)
    return `GET ${health.http.path}: ${answer.why}`
  const [line = ''] = result.output.split('\n')
  return line === '' ? 'its health check failed' : `its health check failed: ${line.slice(0, 200)}`
}

/** Undefined when it ended between the look and the check: Podman calls that a state that is not proper. */
async function checked({ podman, about, signal, found }: Sight): Promise<CheckResult | undefined> {
  try {
    return await runHealthCheck(podman, textOf(found['Id']) || about.name, signal)
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') return undefined
    throw error
  }
}
