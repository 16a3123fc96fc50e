/** Runs a health check, and counts failures as its spec says, where the engine runs none by itself. */
import { runHealthCheck } from '#clients/docker/health.ts'
import { recordOf, recordsOf, textOf } from '#clients/http/read.ts'
import { uptimeOf } from '#domains/containers/look.ts'
import type { Look } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Sight } from './sight.ts'
import type { Subject } from './subject.ts'

export async function probe(sight: Sight): Promise<Look> {
  const { docker, found, memory, about, signal } = sight
  const { health } = about
  const id = textOf(found['Id'])
  if (isFresh(found, health)) return { state: 'ok', message: 'its health check passed' }
  const result = await runHealthCheck(docker, id, signal)
  if (result?.isHealthy === true) {
    memory.probes.delete(id)
    return { state: 'ok', message: 'its health check passed' }
  }
  const failure = failureOf(result?.output)
  const before = memory.probes.get(id) ?? { failures: 0, countedAt: 0, probes: 0 }
  const now = Date.now()
  const isStarting = uptimeOf(found) < health.startPeriod
  const counts = !isStarting && now - before.countedAt >= health.interval
  const failures = before.failures + (counts ? 1 : 0)
  const countedAt = counts ? now : before.countedAt
  memory.probes.set(id, { failures, countedAt, probes: before.probes + 1 })
  if (failures >= health.retries && now >= (about.patientUntil ?? 0)) {
    return { state: 'failed', message: `${failure} (${failures} of ${health.retries} tries)` }
  }
  const tries = failures === 0 ? '' : ` (${failures} of ${health.retries} tries)`
  return { state: 'waiting', message: `${failure}${tries}`, againIn: paceOf(before.probes, health) }
}

function failureOf(output: string | undefined): string {
  if (output === undefined) return 'it stopped while its health was checked'
  const [line = ''] = output.split('\n')
  return line === '' ? 'its health check failed' : `its health check failed: ${line.slice(0, 200)}`
}

/** Quick at first, so that waiting is short, then slower; never slower than the interval says. */
function paceOf(probes: number, { interval }: Subject['health']): number {
  return Math.min(100 * 1.5 ** probes, 2_000, interval)
}

/** Where a timer runs the check, its last good answer will do. */
function isFresh(found: JsonRecord, { interval }: Subject['health']): boolean {
  const state = recordOf(recordOf(found['State'])['Health'])
  const last = recordsOf(state['Log']).at(-1)
  if (textOf(state['Status']) !== 'healthy' || last === undefined) return false
  const age = Date.now() - Date.parse(textOf(last['End']))
  return age >= 0 && age < Math.min(interval, 5_000) && last['ExitCode'] === 0
}
