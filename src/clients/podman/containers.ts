/** Containers: list, inspect, create, and what moves one from state to state. */
import { numberOf, recordOf, recordsOf, textMapOf, textOf, textsOf } from '#clients/http/read.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { segment, type Podman } from './client.ts'

export type PublishedPort = {
  readonly hostIP: string
  readonly hostPort: number
  readonly containerPort: number
  readonly protocol: string
}

export type ListedContainer = {
  readonly id: string
  readonly name: string
  readonly image: string
  readonly imageId: string
  readonly state: string
  readonly exitCode: number
  /** Seconds. */
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
  return recordsOf(body).map(listed)
}

/** Undefined when there is none. */
export async function inspectContainer(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<JsonRecord | undefined> {
  const doing = `could not look at container ${name}`
  const path = `/containers/${segment(name)}/json`
  try {
    const { status, body } = await podman.ask('GET', path, { signal, doing, fine: [404] })
    return status === 404 ? undefined : recordOf(body)
  } catch (error) {
    // one that goes while it is being looked at is answered with a 500
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}

/** Its id, and what Podman could not do as asked. */
export async function createContainer(
  podman: Podman,
  body: JsonRecord,
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly warnings: readonly string[] }> {
  const doing = `could not create container ${textOf(body['name'])}`
  const said = await podman.ask('POST', '/containers/create', {
    body,
    signal,
    doing,
    silence: 120_000,
  })
  const made = recordOf(said.body)
  return { id: textOf(made['Id']), warnings: textsOf(made['Warnings']) }
}

export function startContainer(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not start container ${name}`
  const path = `/containers/${segment(name)}/start`
  return podman.ask('POST', path, { signal, doing, fine: [304], silence: 120_000 })
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

/** As long as the container itself says it may take to stop. */
export function restartContainer(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not restart container ${name}`
  const path = `/containers/${segment(name)}/restart`
  return podman.ask('POST', path, { signal, doing, silence: 720_000 })
}

export function unpauseContainer(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not unpause container ${name}`
  return podman.ask('POST', `/containers/${segment(name)}/unpause`, { signal, doing })
}

/** With its anonymous volumes. One that is not there is fine. */
export function removeContainer(
  podman: Podman,
  name: string,
  seconds: number,
  signal: AbortSignal,
): Promise<unknown> {
  return podman.ask('DELETE', `/containers/${segment(name)}`, {
    query: { force: true, volumes: true, ignore: true, timeout: seconds },
    signal,
    doing: `could not remove container ${name}`,
    fine: [404],
    silence: (seconds + 60) * 1000,
  })
}

export function renameContainer(
  podman: Podman,
  name: string,
  to: string,
  signal: AbortSignal,
): Promise<unknown> {
  const doing = `could not rename container ${name} to ${to}`
  const path = `/containers/${segment(name)}/rename`
  return podman.ask('POST', path, { query: { name: to }, signal, doing })
}

export type CheckResult = { readonly isHealthy: boolean; readonly output: string }

/** Runs the check once, now. Undefined when the container does not run. */
export async function runHealthCheck(
  podman: Podman,
  name: string,
  signal: AbortSignal,
): Promise<CheckResult | undefined> {
  const doing = `could not run the health check of container ${name}`
  const path = `/containers/${segment(name)}/healthcheck`
  const { status, body } = await podman.ask('GET', path, { signal, doing, fine: [404, 409] })
  if (status !== 200) return undefined
  const result = recordOf(body)
  const last = recordsOf(result['Log']).at(-1)
  const isHealthy =
    last === undefined ? result['Status'] === 'healthy' : numberOf(last['ExitCode']) === 0
  return { isHealthy, output: textOf(last?.['Output']).trim() }
}

/** The last lines it wrote, both streams in order. */
export async function lastLines(
  podman: Podman,
  name: string,
  count: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const stream = await podman.stream('GET', `/containers/${segment(name)}/logs`, {
    query: { stdout: true, stderr: true, tail: count },
    signal,
    doing: `could not read the log of container ${name}`,
  })
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  const text = unframed(Buffer.concat(parts))
  return text.split('\n').filter((line) => line !== '')
}

/** Each piece of a log has a header of eight bytes: the stream, three zeros, its length. */
function unframed(bytes: Buffer): string {
  const pieces: Buffer[] = []
  let at = 0
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32BE(at + 4)
    pieces.push(bytes.subarray(at + 8, at + 8 + length))
    at += 8 + length
  }
  return Buffer.concat(pieces).toString('utf8')
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

/** Ranges are told as one entry; here each port is one. */
function published(item: { readonly [key: string]: Json }): readonly PublishedPort[] {
  const range = Math.max(1, numberOf(item['range']))
  return Array.from({ length: range }, (_, index) => ({
    hostIP: textOf(item['host_ip']),
    hostPort: numberOf(item['host_port']) + index,
    containerPort: numberOf(item['container_port']) + index,
    protocol: textOf(item['protocol']),
  }))
}
