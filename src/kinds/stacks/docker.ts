/** One engine that speaks Docker's words: one client, one round of lists, one stream of events for all its stacks. */
import { aboutDocker } from '#clients/docker/about.ts'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import type { ListedContainer } from '#clients/docker/container-list.ts'
import type { EngineAddress } from '#model/engine-address.ts'
import { listImages, removeImage } from '#clients/docker/images.ts'
import { plainId } from '#domains/stacks/image-name.ts'
import { listen, type EngineEvent } from '#clients/docker/events.ts'
import { logsOf, timedLogsOf } from '#clients/docker/logs.ts'
import { movesTag } from '#domains/containers/image-news.ts'
import { ignoringDrift } from '#domains/containers/ignore-drift.ts'
import { adoptStack } from '#domains/stacks/adopt.ts'
import { stacksKind, stacksSite } from '#domains/stacks/domain.ts'
import { label } from '#domains/stacks/labels.ts'
import { markersIn, removeMarker, writeMarker } from '#domains/stacks/marker.ts'
import { recall } from '#domains/stacks/recall.ts'
import type { ContainerStatus } from '#model/service.ts'
import { confinementsOn } from '#kinds/containers/confinement-of.ts'
import type { ServiceConnection } from '#model/application-kind.ts'
import type { Connection, News, Ports } from '#model/connection.ts'
import type { Declared } from '#model/declaration.ts'
import { containerNewsIn, whatIn } from '../containers/what-happened.ts'
import { imageMeanings } from '../containers/image-meanings.ts'
import { restartThrough } from '../containers/restart.ts'
import { isSeenThrough } from '../containers/own-mounts.ts'
import { containerLearner } from './learn-containers.ts'
import { listStacks, ownersOf, type Expectations, type StackLists } from './list-stacks.ts'

/** How long one round of lists may serve: a sweep through all stacks. */
const listsServe = 2_000

export function connectDocker(
  place: EngineAddress,
  instance: string,
  service?: ServiceConnection,
): Connection {
  const client = dockerAt(place)
  const docker = service === undefined ? client : counted(client, () => service.called())
  const stacks = stacksSite(docker, service === undefined ? {} : { listsServe })
  const confinementFor = confinementsOn(docker, instance, service?.followed)
  const expectations: Expectations = new Map()
  const learn = containerLearner(docker, instance)
  const images = imageMeanings((signal) => listImages(docker, signal))
  let ownerOf = ownersOf(new Map())
  async function newLists(signal: AbortSignal): Promise<StackLists> {
    const lists = await stacks.lists(signal, true)
    ownerOf = ownersOf(markersIn(lists.volumes))
    return lists
  }
  function portsFor(owner: string, declared?: Declared): Ports {
    const confinement = confinementFor(owner, declared)
    const target = confinement === undefined ? stacks.target : stacks.confined(confinement)
    return { kind: ignoringDrift(stacksKind, declared?.policy.ignore), target }
  }
  return {
    place,
    ports: portsFor,
    engine: 'docker',
    async list(signal) {
      const [lists, facts] = await Promise.all([newLists(signal), stacks.facts(signal)])
      const isPodman = facts.runsChecksWhenAsked
      const learned = await learn(lists.containers, facts, signal)
      const isAsked = isPodman && service !== undefined
      const meanings = isAsked ? await images.now(signal) : undefined
      return listStacks(lists, instance, { expectations, isPodman, learned, meanings })
    },
    async *watch(signal) {
      const events = await listen(docker, {}, signal)
      stacks.settings.listening()
      try {
        yield { kind: 'listening' }
        for await (const event of events) {
          if (isNoise(event)) continue
          images.heard(event)
          if (event.type === 'container') stacks.settings.forget(event.id)
          yield newsOf(event, ownerOf(event.type, event.id, event.attributes))
        }
      } finally {
        stacks.settings.deaf()
      }
    },
    async ping(signal) {
      const doing = 'could not reach the engine'
      await docker.ask('GET', '/_ping', { signal, doing, isBare: true })
    },
    about: (signal) => aboutDocker(docker, signal),
    recall: (signal) => recall(docker, instance, signal),
    sees: (folder) => docker.isLocal && isSeenThrough(docker.address, folder),
    async mark(owner, news, signal) {
      if (news === undefined) return removeMarker(docker, owner, signal)
      await writeMarker(docker, { owner, ...news }, signal)
    },
    async adopt(rendered, identity, wish, signal) {
      const { adopted, ...adoption } = await adoptStack(docker, rendered, identity, wish, signal)
      const ports = portsFor(identity.owner, wish.declared)
      if (adopted === undefined) return { ...adoption, ports }
      if (wish.at === undefined) {
        const target = stacks.asIf(ports.target, adopted)
        if (service === undefined) stacks.asIfAdopted(identity.owner, adopted)
        return { ...adoption, ports: { ...ports, target } }
      }
      // what was listed before knows nothing of it
      if (service !== undefined) await newLists(signal)
      return { ...adoption, ports }
    },
    async bound(signal) {
      const { containers, volumes } = await stacks.lists(signal, true)
      return [...containers.map(({ mounts }) => mounts), ...volumes].map((one) =>
        JSON.stringify(one),
      )
    },
    async removeImages(ids, signal) {
      const { containers } = await stacks.lists(signal, true)
      const used = new Set(containers.map(({ imageId }) => plainId(imageId)))
      let removed = 0
      for (const id of ids.filter((one) => !used.has(plainId(one)))) {
        if (await removeImage(docker, id, signal)) removed += 1
      }
      return removed
    },
    restart: (container, wish) =>
      restartThrough(portsFor(wish.owner, wish.declared).target, container, wish),
    async containers(owner, signal) {
      const all = await stacks.lists(signal, false)
      const whose = ownersOf(markersIn(all.volumes))
      return all.containers
        .filter((one) => whose('container', one.id, one.labels) === owner)
        .map(containerStatus)
    },
    async *logs(container, { tail, follows }, signal) {
      const wanted = { isFollowed: follows, ...(tail === undefined ? {} : { tail }) }
      for await (const { line } of await logsOf(docker, container, wanted, signal)) yield line
    },
    logLines: (container, { tail, follows, since }, signal) =>
      timedLogsOf(
        docker,
        container,
        {
          isFollowed: follows,
          ...(tail === undefined ? {} : { tail }),
          ...(since === undefined ? {} : { since: since / 1000 }),
        },
        signal,
      ),
    close: () => docker.close(),
  }
}

function counted(docker: Docker, called: () => void): Docker {
  return {
    ...docker,
    ask(method, path, ask) {
      called()
      return docker.ask(method, path, ask)
    },
    stream(method, path, ask) {
      called()
      return docker.stream(method, path, ask)
    },
  }
}

function newsOf(event: EngineEvent, owner: string | undefined): News {
  return {
    kind: 'changed',
    owner,
    isSure: event.type === 'container',
    what: whatIn(event),
    container: containerNewsIn(event),
  }
}

/** What changes nothing that was declared. */
function isNoise({ type, action }: EngineEvent): boolean {
  if (type === 'image') return !movesTag(action) && action !== 'delete'
  return /^(exec|attach|archive|copy|top|cleanup|mount|unmount|sync|resize|prune)/.test(action)
}

function containerStatus(one: ListedContainer): ContainerStatus {
  return {
    id: one.id.slice(0, 12),
    name: one.name,
    service: one.labels[label.service] ?? '',
    state: one.state,
    health: one.health ?? 'none',
    image: one.image,
    ports: one.ports.map(portText).join(', '),
  }
}

function portText(port: ListedContainer['ports'][number]): string {
  const inside = `${port.containerPort}/${port.protocol}`
  return port.hostPort === 0 ? inside : `${port.hostIP}:${port.hostPort}->${inside}`
}
