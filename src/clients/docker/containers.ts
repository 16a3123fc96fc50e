/** Containers: list, inspect, create, and what moves one from state to state. */
import { createAt, inspected, segment, type CreatedContainer } from '#clients/containers/calls.ts'
import { numberOf, recordOf, textsOf } from '#model/read-json.ts'
import { isList, type Json, type JsonRecord } from '#model/json.ts'
import type { Docker } from './client.ts'

export { renameContainer, startContainer, unpauseContainer } from '#clients/containers/calls.ts'

export function inspectContainer(
  docker: Docker,
  name: string,
  signal: AbortSignal,
): Promise<JsonRecord | undefined> {
  const look = (): ReturnType<typeof inspected> =>
    inspected(docker, `container ${name}`, `/containers/${segment(name)}/json`, signal)
  return look().catch((error: unknown) => (endedMeanwhile(error) ? look() : fail(error)))
}

/** Podman fails to read the process of a container that ends at this very moment. Asked again, it knows the answer. */
function endedMeanwhile(error: unknown): boolean {
  return error instanceof Error && /no such process/.test(error.message)
}

function fail(error: unknown): never {
  throw error
}

export type NewContainer = {
  readonly name: string
  /** The platform, such as `linux/arm64`; undefined: the engine's own. */
  readonly platform?: string | undefined
  readonly body: JsonRecord
}

/** Gives the id of the new container, and warnings about what the engine could not do as asked. */
export function createContainer(
  docker: Docker,
  { name, platform, body }: NewContainer,
  signal: AbortSignal,
): Promise<CreatedContainer> {
  return createAt(docker, name, { name, platform }, body, signal)
}

/** Sends the container's own stop signal, and ends it by force after so many seconds. A container that is stopped or gone is no problem. */
export function stopContainer(
  docker: Docker,
  name: string,
  seconds: number | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  return docker.ask('POST', `/containers/${segment(name)}/stop`, {
    query: { t: seconds },
    signal,
    doing: `could not stop container ${name}`,
    fine: [304, 404],
    silence: ((seconds ?? 600) + 60) * 1000,
  })
}

/** Without a number of seconds the container's own time to stop counts. */
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

/** Changes limits and the restart policy of a container while it runs. */
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

/** Removes a container by force, and its anonymous volumes if asked to. A container that is not there is no problem. */
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

export type Processes = {
  readonly titles: readonly string[]
  readonly processes: readonly (readonly string[])[]
}

export async function topOf(docker: Docker, name: string, signal: AbortSignal): Promise<Processes> {
  const doing = `could not list the processes of container ${name}`
  const path = `/containers/${segment(name)}/top`
  const { body } = await docker.ask('GET', path, { signal, doing })
  const told = recordOf(body)
  const { Processes: rows = [] } = told
  return { titles: textsOf(told['Titles']), processes: isList<Json>(rows) ? rows.map(textsOf) : [] }
}
