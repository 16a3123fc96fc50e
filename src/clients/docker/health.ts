/** Runs a container's health check once, now: only for engines whose facts say that they do it when asked. */
import { numberOf, recordOf, recordsOf, textOf } from '#clients/http/read.ts'
import { segment, type Docker } from './client.ts'

export type CheckResult = { readonly isHealthy: boolean; readonly output: string }

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
    },
  )
  if (status !== 200) return undefined
  const result = recordOf(body)
  const last = recordsOf(result['Log']).at(-1)
  const isHealthy =
    last === undefined ? result['Status'] === 'healthy' : numberOf(last['ExitCode']) === 0
  return { isHealthy, output: textOf(last?.['Output']).trim() }
}
