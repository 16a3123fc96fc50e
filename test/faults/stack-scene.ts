/** A stack in two versions, for sweeps, and what is to be seen of it. */
import type { Docker } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { listNetworks } from '#clients/docker/networks.ts'
import { listVolumes } from '#clients/docker/volumes.ts'
import { busybox } from '../testbed/image.ts'

export type Version = 'first' | 'second'

/** One replaced in place, one side by side, one untouched, one orphan, files, a job, two networks, a moved port. */
export function stackOf(version: Version, port: number): string {
  const isFirst = version === 'first'
  const quick = `image: ${busybox}\n    command: sleep 1000\n    stop_grace_period: 0s`
  const publish = `ports: ["127.0.0.1:${port}:80"]`
  return `
services:
  db:
    ${quick}
    environment: { LEVEL: ${version} }
    volumes: ["data:/data"]
    networks: [back]
  web:
    ${quick}
    configs: [site]
    networks: [back, default]
    depends_on: { job: { condition: service_completed_successfully } }
  job:
    image: ${busybox}
    command: "true"
    depends_on: [db]
  still:
    ${quick}
    ${isFirst ? publish : ''}
  ${isFirst ? 'old' : 'new'}:
    ${quick}
    ${isFirst ? '' : publish}
volumes: { data: }
networks: { back: { labels: { level: ${version} } } }
configs: { site: { content: "${version}" } }
`
}

export type Sketch = {
  readonly containers: readonly string[]
  readonly networks: readonly string[]
  /** Without the marker, whose name is another one for whatever it says. */
  readonly volumes: readonly string[]
  readonly markers: number
}

export async function sketchOf(docker: Docker, signal: AbortSignal): Promise<Sketch> {
  const containers = await listContainers(docker, [], signal)
  const networks = await listNetworks(docker, [], signal)
  const volumes = (await listVolumes(docker, [], signal)).map(({ name }) => name)
  return {
    containers: containers
      .map(({ name, state, networks: on }) => {
        const names = on.map(({ network }) => network).toSorted()
        return `${name} ${state} on ${names.join(', ')}`
      })
      .toSorted(),
    networks: networks.map(({ name }) => name).toSorted(),
    volumes: volumes.filter((name) => !isMarker(name)).toSorted(),
    markers: volumes.filter(isMarker).length,
  }
}

function isMarker(name: string): boolean {
  return /^tend-[0-9a-f]{12}-[0-9a-f]{12}$/.test(name)
}
