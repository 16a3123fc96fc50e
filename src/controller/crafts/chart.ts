/** Charts on Podman. */
import { join } from 'node:path/posix'
import { podmanAt, type Podman } from '#clients/podman/client.ts'
import { listContainers, type ListedContainer } from '#clients/podman/containers.ts'
import { listen } from '#clients/podman/events.ts'
import { logLines } from '#clients/podman/logs.ts'
import { listNetworks } from '#clients/podman/networks.ts'
import { listPods } from '#clients/podman/pods.ts'
import { findSocket, surroundings } from '#clients/podman/socket.ts'
import { ping } from '#clients/podman/system.ts'
import { listVolumes } from '#clients/podman/volumes.ts'
import { chartsKind, chartsSite } from '#domains/charts/domain.ts'
import { label } from '#domains/charts/labels.ts'
import { snapshotHash } from '#engine/recorder.ts'
import { nameOf } from '#model/ref.ts'
import { hashOf } from '#model/json.ts'
import { keyOf } from '#model/application.ts'
import type { Declared } from '#model/declaration.ts'
import type { ContainerStatus } from '#model/service.ts'
import { confinementsOn } from '#kinds/containers/confinement-of.ts'
import type { Craft, How, News, Site } from '../craft.ts'
import { hasFile } from '#sources/inputs.ts'
import { buildId } from '#kinds/build-id.ts'
import { filesOfSnapshot } from '#sources/snapshot-files.ts'
import { chartsSight } from './charts-sight.ts'
import { whatIn } from './what-happened.ts'

export const chartCraft: Craft = {
  kind: 'chart',
  mainFile: 'Chart.yaml',
  isThere: ({ path }, tree) => hasFile(tree, join(path, 'Chart.yaml')),
  request: ({ application, path, values, policy }, snapshot, { since, seed }) => {
    const files = filesOfSnapshot(snapshot)
    const { security } = policy
    return { name: 'chart', request: { files, application, path, values, security, since, seed } }
  },
  aboutOf,
  hashOf: snapshotHash,
  find(target) {
    const address = findSocket(surroundings(target))
    return { address, connect: (instance, called) => podmanSite(address, instance, called) }
  },
}

function aboutOf({ application, path, values, policy }: Declared, { since }: How): string {
  return hashOf([buildId, keyOf(application), path, values, policy.security, since]).slice(0, 20)
}

function podmanSite(address: string, instance: string, called: () => void): Site {
  const podman = counted(podmanAt(address), called)
  const charts = chartsSite(podman)
  const isLocal = !address.startsWith('tcp:')
  const confinementFor = confinementsOn({ address, isLocal: podman.isLocal })
  return {
    address,
    isLocal,
    kind: chartsKind,
    marks: false,
    target: charts.target,
    portsFor(owner, declared, shelf) {
      const confinement = confinementFor(owner, declared, shelf)
      const target = confinement === undefined ? charts.target : charts.confined(confinement)
      return { kind: chartsKind, target }
    },
    async sight(signal) {
      const [containers, ...others] = await Promise.all([
        listContainers(podman, signal),
        listPods(podman, signal),
        listNetworks(podman, signal),
        listVolumes(podman, signal),
      ])
      return chartsSight(containers, others.flat(), instance)
    },
    watch: (signal) => watch(podman, signal),
    ping: (signal) => ping(podman, signal),
    // what is applied stands on the resources themselves, and nobody else makes them
    mark: async () => undefined,
    adopt: async () => ({ matching: 0, differing: 0 }),
    async containers(owner, signal) {
      const all = await listContainers(podman, signal)
      return all.filter(({ labels }) => labels[label.owner] === owner).map(containerStatus)
    },
    logs: (container, wanted, signal) => logLines(podman, container, wanted, signal),
    close: () => podman.close(),
  }
}

function counted(podman: Podman, called: () => void): Podman {
  return {
    ...podman,
    ask(method, path, ask) {
      called()
      return podman.ask(method, path, ask)
    },
    stream(method, path, ask) {
      called()
      return podman.stream(method, path, ask)
    },
  }
}

const noise =
  /^(exec|health_status|attach|copy|cleanup|mount|unmount|sync|init|checkpoint|commit|export)/

async function* watch(podman: Podman, signal: AbortSignal): AsyncIterable<News> {
  const events = await listen(podman, signal)
  yield { kind: 'listening' }
  for await (const { type, action, attributes } of events) {
    if (noise.test(action)) continue
    const owner = attributes[label.owner]
    const isSure = type === 'container' || type === 'pod'
    yield { kind: 'changed', owner, isSure, what: whatIn({ type, action }) }
  }
}

/** Podman's list tells nothing of health. */
function containerStatus(one: ListedContainer): ContainerStatus {
  return {
    id: one.id.slice(0, 12),
    name: one.name,
    service: nameOf(one.labels[label.ref] ?? `container/${one.name}`),
    state: one.state,
    health: 'none',
    image: one.image,
    ports: one.ports
      .map(({ hostIP, hostPort, containerPort, protocol }) => {
        const inside = `${containerPort}/${protocol}`
        return hostPort === 0 ? inside : `${hostIP}:${hostPort}->${inside}`
      })
      .join(', '),
  }
}
