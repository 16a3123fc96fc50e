/** One Podman: one client, one round of lists, one stream of events for all its charts. */
import { podmanAt, type Podman } from '#clients/podman/client.ts'
import { listContainers, type ListedContainer } from '#clients/podman/containers.ts'
import { listen } from '#clients/podman/events.ts'
import { logLines, timedLogLines } from '#clients/podman/logs.ts'
import { listNetworks } from '#clients/podman/networks.ts'
import { listPods } from '#clients/podman/pods.ts'
import { aboutPodman, ping } from '#clients/podman/system.ts'
import { listVolumes } from '#clients/podman/volumes.ts'
import { ignoringDrift } from '#domains/containers/ignore-drift.ts'
import { chartsKind, chartsSite } from '#domains/charts/domain.ts'
import { label } from '#domains/charts/labels.ts'
import { recall } from '#domains/charts/recall.ts'
import type { ServiceConnection } from '#model/application-kind.ts'
import type { Connection, News, Ports } from '#model/connection.ts'
import type { Declared } from '#model/declaration.ts'
import type { EngineAddress } from '#model/engine-address.ts'
import { nameOf } from '#model/ref.ts'
import type { ContainerStatus } from '#model/service.ts'
import { confinementsOn } from '../containers/confinement-of.ts'
import { restartThrough } from '../containers/restart.ts'
import { isSeenThrough } from '../containers/own-mounts.ts'
import { containerNewsIn, whatIn } from '../containers/what-happened.ts'
import { imageMeanings, type ImageMeanings } from '../containers/image-meanings.ts'
import { listImages } from '#clients/podman/images.ts'
import { listCharts, type Expectations } from './list-charts.ts'

export function connectPodman(
  place: EngineAddress,
  instance: string,
  service?: ServiceConnection,
): Connection {
  const { address } = place
  const client = podmanAt(place)
  const podman = service === undefined ? client : counted(client, () => service.called())
  const charts = chartsSite(podman)
  const { isLocal } = podman
  const engine = { address, isLocal }
  const confinementFor = confinementsOn(engine, instance, service?.followed)
  const expectations: Expectations = new Map()
  const images = imageMeanings((signal) => listImages(podman, signal))
  function portsFor(owner: string, declared?: Declared): Ports {
    const confinement = confinementFor(owner, declared)
    const target = confinement === undefined ? charts.target : charts.confined(confinement)
    return { kind: ignoringDrift(chartsKind, declared?.policy.ignore), target }
  }
  return {
    place,
    ports: portsFor,
    engine: 'podman',
    async list(signal) {
      const [containers, ...others] = await Promise.all([
        listContainers(podman, signal),
        listPods(podman, signal),
        listNetworks(podman, signal),
        listVolumes(podman, signal),
      ])
      const meanings = service === undefined ? undefined : await images.now(signal)
      return listCharts(containers, others.flat(), instance, expectations, meanings)
    },
    watch: (signal) => watch(podman, images, signal),
    ping: (signal) => ping(podman, signal),
    about: (signal) => aboutPodman(podman, signal),
    recall: (signal) => recall(podman, instance, signal),
    sees: (folder) => isLocal && isSeenThrough(address, folder),
    restart: (container, wish) =>
      restartThrough(portsFor(wish.owner, wish.declared).target, container, wish),
    async containers(owner, signal) {
      const all = await listContainers(podman, signal)
      return all.filter(({ labels }) => labels[label.owner] === owner).map(containerStatus)
    },
    logs: (container, wanted, signal) => logLines(podman, container, wanted, signal),
    logLines: (container, wanted, signal) => timedLogLines(podman, container, wanted, signal),
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

const noise = /^(exec|attach|copy|cleanup|mount|unmount|sync|init|checkpoint|commit|export)/

async function* watch(
  podman: Podman,
  images: ImageMeanings,
  signal: AbortSignal,
): AsyncIterable<News> {
  const events = await listen(podman, signal)
  yield { kind: 'listening' }
  for await (const event of events) {
    if (noise.test(event.action)) continue
    images.heard(event)
    const owner = event.attributes[label.owner]
    const isSure = event.type === 'container' || event.type === 'pod'
    yield {
      kind: 'changed',
      owner,
      isSure,
      what: whatIn(event),
      container: containerNewsIn(event),
    }
  }
}

/** Podman's list of containers does not show their health. */
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
