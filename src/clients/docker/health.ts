/** Runs a container's health check once, now: only for engines whose facts say that they do it when asked. */
import { checkResultOf, segment } from '#clients/containers/calls.ts'
import type { CheckResult } from '#model/container-engine.ts'
import type { Docker } from './client.ts'

/** Undefined when the container does not run, or is gone. */
export async function runHealthCheck(
  docker: Docker,
  name: string,
  signal: AbortSignal,
): Promise<CheckResult | undefined> {
  const { status, body } = await docker.ask(
    'GET',
    `/v4.0.0/libpod/containers/${segment(name)}/healthcheck`,
    {
      signal,
      doing: `could not run the health check of container ${name}`,
      fine: [404, 409],
      isBare: true,
      isApart: true,
    },
  )
  return status === 200 ? checkResultOf(body) : undefined
}
