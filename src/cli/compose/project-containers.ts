/** The containers of a stack as its engine lists them, whoever made them: by the label of the project, as docker compose knows them. */
import { filters } from '#clients/containers/calls.ts'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { listVolumes } from '#clients/docker/volumes.ts'
import { numberOf, recordOf, recordsOf, textMapOf, textOf, textsOf } from '#model/read-json.ts'
import { label } from '#domains/stacks/labels.ts'
import { markersIn } from '#domains/stacks/marker.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { engineIn } from '../application/engine.ts'
import { installedAs } from '../application/installed.ts'
import type { Flags } from '../arguments/invocation.ts'
import { closest } from '../arguments/closest.ts'
import type { CommandContext } from '../session.ts'
import { soughtStack } from '../stack/named.ts'

export type ProjectContainer = {
  readonly id: string
  readonly name: string
  readonly service: string
  readonly number: number
  readonly state: string
  readonly isOneOff: boolean
  /** The names of the services that it waits for. */
  readonly needs: readonly string[]
  /** Tend made it, or took it over. */
  readonly isOurs: boolean
  /** The container as the engine lists it. */
  readonly item: JsonRecord
}

export type ProjectOnEngine = {
  readonly name: string
  readonly docker: Docker
  /** All containers, also stopped ones, sorted by name. */
  readonly containers: readonly ProjectContainer[]
}

export async function withProject(
  flags: Flags,
  context: CommandContext,
  work: (project: ProjectOnEngine) => Promise<number>,
): Promise<number> {
  const { session, signal } = context
  const store = (await session.memoryIfAny())?.store
  const sought = await soughtStack(flags, context, store)
  const known = await installedAs(sought, store)
  const reached = await session.reach(flags, 'stack', engineIn(known?.source))
  const { place } = reached
  // whatever is asked of one without a place tells why there is none
  if (place === undefined) await reached.ping(signal)
  const docker = dockerAt(place ?? { address: '' })
  try {
    const containers = await containersOf(docker, sought.name, signal)
    return await work({ name: sought.name, docker, containers })
  } finally {
    docker.close()
  }
}

async function containersOf(
  docker: Docker,
  project: string,
  signal: AbortSignal,
): Promise<readonly ProjectContainer[]> {
  const query = { all: true, filters: filters({ label: [`${label.project}=${project}`] }) }
  const doing = 'could not list containers'
  const { body } = await docker.ask('GET', '/containers/json', { query, signal, doing })
  const markers = markersIn(await listVolumes(docker, ['tend/marker'], signal))
  const adopted = new Set([...markers.values()].flatMap((one) => [...one.adopted.keys()]))
  return recordsOf(body)
    .map((item): ProjectContainer => {
      const labels = textMapOf(item['Labels'])
      const id = textOf(item['Id'])
      return {
        id,
        name: (textsOf(item['Names'])[0] ?? '').replace(/^\//, ''),
        service: labels[label.service] ?? '',
        number: Number(labels[label.number] ?? 0),
        state: textOf(item['State']),
        isOneOff: labels[label.oneOff] === 'True',
        needs: (labels[label.dependsOn] ?? '').split(',').flatMap((one) => one.split(':')[0] || []),
        isOurs: labels[label.owner] !== undefined || adopted.has(`container ${id}`),
        item,
      }
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** The containers of these services; without names, of all services. A service without containers is a mistake, as it is for docker compose. */
export function ofServices(
  { containers, name }: ProjectOnEngine,
  services: readonly string[],
): readonly ProjectContainer[] {
  const known = [...new Set(containers.map(({ service }) => service))]
  const unknown = services.find((service) => !known.includes(service))
  if (unknown !== undefined) {
    const meant = closest(unknown, known)
    throw new Problem({
      type: 'configuration',
      code: 'not_found',
      message: `no such service: ${unknown}`,
      suggestion: `${meant === undefined ? '' : `did you mean ${meant}? `}${known.length === 0 ? `stack ${name} has no containers` : `there are: ${known.join(', ')}`}`,
    })
  }
  return services.length === 0
    ? containers
    : containers.filter(({ service }) => services.includes(service))
}

/** In the order of dependencies: what a container depends on comes before it. */
export function inOrder(containers: readonly ProjectContainer[]): readonly ProjectContainer[][] {
  const left = new Set(containers)
  const levels: ProjectContainer[][] = []
  while (left.size > 0) {
    const open = new Set([...left].map(({ service }) => service))
    const free = [...left].filter(({ service, needs }) =>
      needs.every((need) => need === service || !open.has(need)),
    )
    const level = free.length === 0 ? [...left] : free
    for (const one of level) left.delete(one)
    levels.push(level)
  }
  return levels
}

/** The ports as docker ps writes them: `127.0.0.1:28080->80/tcp`. */
export function portsText(item: JsonRecord): string {
  const ports = recordsOf(item['Ports']).map((port) => {
    const inside = `${numberOf(port['PrivatePort'])}/${textOf(port['Type'])}`
    const outside = numberOf(port['PublicPort'])
    const address = textOf(port['IP'])
    const host = address.includes(':') ? `[${address}]` : address || '0.0.0.0'
    const order = [numberOf(port['PrivatePort']), address.includes(':') ? 1 : 0] as const
    return { text: outside === 0 ? inside : `${host}:${outside}->${inside}`, order }
  })
  return ports
    .toSorted((one, other) => one.order[0] - other.order[0] || one.order[1] - other.order[1])
    .map(({ text }) => text)
    .join(', ')
}

export function labelsOf(item: JsonRecord): Readonly<Record<string, string>> {
  return textMapOf(recordOf(item)['Labels'])
}
