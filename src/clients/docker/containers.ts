/** Containers: list, inspect, create, and what moves one from state to state. */
import { numberOf, recordOf, textOf, textsOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { segment, type Docker } from './client.ts'

export async function inspectContainer(
  docker: Docker,
  name: string,
  signal: AbortSignal,
): Promise<JsonRecord | undefined> {
  const doing = `could not look at container ${name}`
  const path = `/containers/${segment(name)}/json`
  const { status, body } = await docker.ask('GET', path, { signal, doing, fine: [404] })
  return status === 404 ? undefined : recordOf(body)
}

export type NewContainer = {
  readonly name: string
  /** `linux/arm64`; the engine's own when undefined. */
  readonly platform?: string | undefined
  readonly body: JsonRecord
}

/** Its id, and what the engine could not do as asked. */
export async function createContainer(
  docker: Docker,
  wanted: NewContainer,
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly warnings: readonly string[] }> {
  const { name, platform, body } = wanted
  const said = await docker.ask('POST', '/containers/create', {
    query: { name, platform },
    body,
    signal,
    doing: `could not create container ${name}`,
    silence: 120_000,
  })
  const made = recordOf(said.body)
  return { id: textOf(made['Id']), warnings: textsOf(made['Warnings']) }
}

/** One that runs already is fine. */
export function startContainer(
  docker: Docker,
  name: string,
  signal: AbortSignal,
  shown = name,
): Promise<unknown> {
  const doing = `could not start container ${shown}`
  const path = `/containers/${segment(name)}/start`
  return docker.ask('POST', path, { signal, doing, fine: [304], silence: 120_000 })
}

/** By its own stop signal, by force after so many seconds. One that is stopped or gone is fine. */
export function stopContainer(
  docker: Docker,
  name: string,
  seconds: number,
  signal: AbortSignal,
): Promise<unknown> {
  return docker.ask('POST', `/containers/${segment(name)}/stop`, {
    query: { t: seconds },
    signal,
    doing: `could not stop container ${name}`,
    fine: [304, 404],
    silence: (seconds + 60) * 1000,
  })
}

/** Without a number of seconds as the container itself says. */
export function restartContainer(
  docker: Docker,
  name: string,
  seconds: number | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  return docker.ask('POST', `/containers/${segment(name)}/restart`, {
    query: { t: seconds },
    signal,
    doing: `could not restart container ${name}`,
    silence: ((seconds ?? 600) + 120) * 1000,
  })
}

/** Limits and the restart policy, while it runs. */
export function updateContainer(
  docker: Docker,
  name: string,
  body: JsonRecord,
  signal: AbortSignal,
  shown = name,
): Promise<unknown> {
  return docker.ask('POST', `/containers/${segment(name)}/update`, {
    body,
    signal,
    doing: `could not update container ${shown}`,
  })
}

export function killContainer(
  docker: Docker,
  name: string,
  withSignal: string,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not send ${withSignal} to container ${name}`
  const path = `/containers/${segment(name)}/kill`
  return docker.ask('POST', path, { query: { signal: withSignal }, signal, doing })
}

export function unpauseContainer(
  docker: Docker,
  name: string,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not unpause container ${name}`
  return docker.ask('POST', `/containers/${segment(name)}/unpause`, { signal, doing })
}

export function renameContainer(
  docker: Docker,
  name: string,
  to: string,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not rename container ${name} to ${to}`
  const path = `/containers/${segment(name)}/rename`
  return docker.ask('POST', path, { query: { name: to }, signal, doing })
}

/** By force, with its anonymous volumes if asked. One that is not there is fine. */
export function removeContainer(
  docker: Docker,
  name: string,
  withVolumes: boolean,
  signal: AbortSignal,
): Promise<unknown> {
  return docker.ask('DELETE', `/containers/${segment(name)}`, {
    query: { force: true, v: withVolumes },
    signal,
    doing: `could not remove container ${name}`,
    fine: [404],
    silence: 120_000,
  })
}

/** Resolves with its exit code when it does not run (any more): at once for one that has ended, and for one never started, whose code means nothing. */
export async function waitForExit(
  docker: Docker,
  name: string,
  signal: AbortSignal,
): Promise<number> {
  const { body } = await docker.ask('POST', `/containers/${segment(name)}/wait`, {
    query: { condition: 'not-running' },
    signal,
    doing: `could not wait for container ${name}`,
    silence: 0,
  })
  return numberOf(recordOf(body)['StatusCode'])
}
