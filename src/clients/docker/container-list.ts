/** All containers in one call, with what a list tells of each. */
import { filters } from '#clients/containers/calls.ts'
import { numberOf, recordOf, recordsOf, textMapOf, textOf, textsOf } from '#model/read-json.ts'
import { mappedInTurns } from '#model/yield-to-event-loop.ts'
import type { PublishedPort } from '#model/container-engine.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Docker } from './client.ts'

export type JoinedNetwork = {
  readonly network: string
  /** The id of the network; its name with Podman before 5.4. */
  readonly networkId: string
  readonly address: string
}

export type Mounted = {
  /** bind, volume, tmpfs. */
  readonly type: string
  /** The name of the volume, where the mount is one. */
  readonly name: string
  readonly source: string
  readonly destination: string
  readonly isWritable: boolean
}

export type ListedContainer = {
  readonly id: string
  readonly name: string
  readonly image: string
  readonly imageId: string
  /** created, running, paused, restarting, exited, dead. */
  readonly state: string
  /** Undefined when the list does not show it: then there is no health check, or only an inspection shows it. */
  readonly health: 'healthy' | 'unhealthy' | 'starting' | undefined
  /** The exit code of a container that ended. */
  readonly exitCode: number | undefined
  /** When it was made, in seconds. */
  readonly createdAt: number
  readonly labels: Readonly<Record<string, string>>
  readonly networks: readonly JoinedNetwork[]
  readonly ports: readonly PublishedPort[]
  readonly mounts: readonly Mounted[]
}

/** Lists the containers that carry all these labels: `name`, or `name=value`. */
export async function listContainers(
  docker: Docker,
  labels: readonly string[],
  signal: AbortSignal,
): Promise<readonly ListedContainer[]> {
  const { body } = await docker.ask('GET', '/containers/json', {
    query: { all: true, filters: labels.length === 0 ? undefined : filters({ label: labels }) },
    signal,
    doing: 'could not list containers',
  })
  return mappedInTurns(recordsOf(body), listed)
}

function listed(item: JsonRecord): ListedContainer {
  const status = textOf(item['Status'])
  return {
    id: textOf(item['Id']),
    name: (textsOf(item['Names'])[0] ?? '').replace(/^\//, ''),
    image: textOf(item['Image']),
    imageId: textOf(item['ImageID']),
    state: textOf(item['State']),
    health: healthIn(status),
    exitCode: exitCodeIn(status),
    createdAt: numberOf(item['Created']),
    labels: textMapOf(item['Labels']),
    networks: joined(recordOf(recordOf(item['NetworkSettings'])['Networks'])),
    ports: recordsOf(item['Ports']).map((port) => ({
      hostIP: textOf(port['IP']),
      hostPort: numberOf(port['PublicPort']),
      containerPort: numberOf(port['PrivatePort']),
      protocol: textOf(port['Type']),
    })),
    mounts: mountsIn(item['Mounts']),
  }
}

/** Mounts, as lists and inspections give them. */
export function mountsIn(value: unknown): readonly Mounted[] {
  return recordsOf(value).map((mount) => ({
    type: textOf(mount['Type']),
    name: textOf(mount['Name']),
    source: textOf(mount['Source']),
    destination: textOf(mount['Destination']),
    isWritable: mount['RW'] !== false,
  }))
}

/** "Up 3 minutes (healthy)", "Up 1 second (health: starting)". */
export function healthIn(status: string): ListedContainer['health'] {
  const word = /\((?:health: )?(healthy|unhealthy|starting)\)/.exec(status)?.[1]
  return word === 'healthy' || word === 'unhealthy' || word === 'starting' ? word : undefined
}

/** "Exited (137) 2 hours ago". */
export function exitCodeIn(status: string): number | undefined {
  const code = /^Exited \((-?\d+)\)/.exec(status)?.[1]
  return code === undefined ? undefined : Number(code)
}

function joined(networks: JsonRecord): readonly JoinedNetwork[] {
  return Object.entries(networks).map(([network, value]) => {
    const settings = recordOf(value)
    return {
      network,
      networkId: textOf(settings['NetworkID']),
      address: textOf(settings['IPAddress']),
    }
  })
}
