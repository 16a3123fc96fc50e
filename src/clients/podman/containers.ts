/** Containers: list, inspect, create, and what moves one from state to state. */
import {
  checkResultOf,
  createAt,
  inspected,
  segment,
  type CreatedContainer,
} from '#clients/containers/calls.ts'
import { numberOf, recordsOf, textMapOf, textOf, textsOf } from '#model/read-json.ts'
import { mappedInTurns } from '#model/yield-to-event-loop.ts'
import type { CheckResult, PublishedPort } from '#model/container-engine.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { Podman } from './client.ts'

export { renameContainer, startContainer, unpauseContainer } from '#clients/containers/calls.ts'

export type ListedContainer = {
  readonly id: string
  readonly name: string
  readonly image: string
  readonly imageId: string
  readonly state: string
  readonly exitCode: number
  /** When it was started, in seconds. */
  readonly startedAt: number
  readonly createdAt: string
  readonly labels: Readonly<Record<string, string>>
  readonly networks: readonly string[]
  readonly ports: readonly PublishedPort[]
  readonly pod: string
  readonly isInfra: boolean
  readonly mounts: readonly string[]
}

export async function listContainers(
  podman: Podman,
  signal: AbortSignal,
): Promise<readonly ListedContainer[]> {
  const query = { all: true }
  const doing = 'could not list containers'
  const { body } = await podman.ask('GET', '/containers/json', { query, signal, doing })
  return mappedInTurns(recordsOf(body), listed)
}

/** Undefined when there is none. */
export function inspectContainer(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<JsonRecord | undefined> {
  const path = `/containers/${segment(name)}/json`
  return inspected(podman, `container ${name}`, path, signal).catch((error: unknown) => {
    // one that goes while it is being looked at is answered with a 500
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  })
}

/** Gives the id of the new container, and warnings about what Podman could not do as asked. */
export function createContainer(
  podman: Podman,
  body: JsonRecord,
  signal: AbortSignal,
): Promise<CreatedContainer> {
  return createAt(podman, textOf(body['name']), {}, body, signal)
}

/** Creates everything that a start needs but runs nothing: what can't start shows itself here. */
export function initContainer(podman: Podman, name: string, signal: AbortSignal): Promise<unknown> {
  const doing = `container ${name} could not start`
  const path = `/containers/${segment(name)}/init`
  return podman.ask('POST', path, { signal, doing, fine: [304], silence: 120_000 })
}

export function stopContainer(
  podman: Podman,
  name: string,
  seconds: number,
  signal: AbortSignal,
): Promise<unknown> {
  return podman.ask('POST', `/containers/${segment(name)}/stop`, {
    query: { timeout: seconds },
    signal,
    doing: `could not stop container ${name}`,
    fine: [304, 404],
    silence: (seconds + 60) * 1000,
  })
}

/** Waits for as long as the container itself may take to stop. */
export function restartContainer(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not restart container ${name}`
  const path = `/containers/${segment(name)}/restart`
  return podman.ask('POST', path, { signal, doing, silence: 720_000 })
}

/** Removes its anonymous volumes too, unless told otherwise. A container that is not there is no problem. */
export function removeContainer(
  podman: Podman,
  name: string,
  seconds: number,
  signal: AbortSignal,
  withVolumes = true,
): Promise<unknown> {
  return podman.ask('DELETE', `/containers/${segment(name)}`, {
    query: { force: true, volumes: withVolumes, ignore: true, timeout: seconds },
    signal,
    doing: `could not remove container ${name}`,
    fine: [404],
    silence: (seconds + 60) * 1000,
  })
}

/** Runs the check once, now. Undefined when the container does not run. */
export async function runHealthCheck(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<CheckResult | undefined> {
  const doing = `could not run the health check of container ${name}`
  const path = `/containers/${segment(name)}/healthcheck`
  const wish = { signal, doing, fine: [404, 409], isApart: true }
  const { status, body } = await podman.ask('GET', path, wish)
  return status === 200 ? checkResultOf(body) : undefined
}

function listed(item: JsonRecord): ListedContainer {
  return {
    id: textOf(item['Id']),
    name: textsOf(item['Names'])[0] ?? '',
    image: textOf(item['Image']),
    imageId: textOf(item['ImageID']),
    state: textOf(item['State']),
    exitCode: numberOf(item['ExitCode']),
    startedAt: numberOf(item['StartedAt']),
    createdAt: textOf(item['Created']),
    labels: textMapOf(item['Labels']),
    networks: textsOf(item['Networks']),
    ports: recordsOf(item['Ports']).flatMap(published),
    pod: textOf(item['PodName']),
    isInfra: item['IsInfra'] === true,
    mounts: textsOf(item['Mounts']),
  }
}

/** Podman tells a range of ports as one entry; here each port is an entry. */
function published(item: { readonly [key: string]: Json }): readonly PublishedPort[] {
  const range = Math.max(1, numberOf(item['range']))
  return Array.from({ length: range }, (_, index) => ({
    hostIP: textOf(item['host_ip']),
    hostPort: numberOf(item['host_port']) + index,
    containerPort: numberOf(item['container_port']) + index,
    protocol: textOf(item['protocol']),
  }))
}
