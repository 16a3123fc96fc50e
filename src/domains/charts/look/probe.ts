/** Runs a health check, and counts failures as its spec says; without systemd Podman runs none by itself. */
import { runHealthCheck } from '#clients/podman/containers.ts'
import { failureIn, probeWith } from '#domains/containers/probe.ts'
import type { CheckResult } from '#model/container-engine.ts'
import type { Look } from '#model/domain.ts'
import { Problem } from '#model/problem.ts'
import { answerOf } from './http.ts'
import type { LookContext } from './look-context.ts'
import type { HealthSpec } from '../spec.ts'
import { defined } from '#model/defined.ts'

export function probe(context: LookContext): Promise<Look> {
  const { found, memory } = context
  const health = defined(context.about.health)
  const pace = {
    interval: health.intervalSeconds * 1000,
    startPeriod: health.startPeriodSeconds * 1000,
    retries: health.retries,
  }
  return probeWith(memory, found, pace, () => failureOf(context, health))
}

/** Undefined when it is well. Over HTTP the answer says more than a command's exit code. */
async function failureOf(context: LookContext, health: HealthSpec): Promise<string | undefined> {
  const { podman } = context
  const answer =
    health.http === undefined || !podman.isLocal
      ? undefined
      : await answerOf(context, health.http, health)
  if (answer?.kind === 'answered') {
    const isGood = answer.status >= 200 && answer.status < 400
    return isGood ? undefined : `GET ${health.http?.path} answered ${answer.status}`
  }
  const result = await checked(context)
  if (result?.isHealthy === true) return undefined
  if (result !== undefined && answer !== undefined && health.http !== undefined)
    return `GET ${health.http.path}: ${answer.why}`
  return failureIn(result?.output)
}

/** Undefined when it ended between the look and the check: Podman calls that a state that is not proper. */
async function checked({
  podman,
  about,
  signal,
  found,
}: LookContext): Promise<CheckResult | undefined> {
  try {
    return await runHealthCheck(podman, found.id || about.name, signal)
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') return undefined
    throw error
  }
}
