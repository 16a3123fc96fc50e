/** Runs a health check, and counts failures as its spec says, where the engine runs none by itself. */
import { runHealthCheck } from '#clients/docker/health.ts'
import { failureIn, probeWith } from '#domains/containers/probe.ts'
import type { Look } from '#model/domain.ts'
import type { LookContext } from './look-context.ts'

export function probe({ docker, found, memory, about, signal }: LookContext): Promise<Look> {
  const pace = { ...about.health, patientUntil: about.patientUntil }
  return probeWith(memory, found, pace, async () => {
    const result = await runHealthCheck(docker, found.id, signal)
    return result?.isHealthy === true ? undefined : failureIn(result?.output)
  })
}
