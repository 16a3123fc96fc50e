/** Which container is the one, and which ones a killed run left beside it. */
import { currentOf } from '#domains/containers/observe/current.ts'
import { ownByRef } from '#domains/containers/observe/own.ts'
import type { ListedContainer } from '#clients/podman/containers.ts'
import { recordedOf } from '#domains/containers/record.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Present, Recorded } from '#model/resource.ts'
import { imageIdOf } from '../image-name.ts'
import { label } from '../labels.ts'
import type { LiveContainer } from '../live-state.ts'
import { isSeen, type Lists } from './all.ts'
import type { View } from './observe.ts'

export function observeContainers(view: View): ReadonlyMap<Ref, Present> {
  const { containers } = view.lists
  const found = new Map<Ref, Present>()
  if (!isSeen(containers)) return found
  for (const [ref, own] of ownByRef(containers, view.owner)) {
    const seen = present(view, own)
    if (seen !== undefined) found.set(ref, seen)
  }
  return found
}

function present(view: View, own: readonly ListedContainer[]): Present | undefined {
  const candidates = own.map((container) => ({
    container,
    recorded: recordedIn(container),
    isTrial: container.labels[label.rehearsal] !== undefined,
  }))
  const current = currentOf(candidates, (one, other) => (one.createdAt < other.createdAt ? 1 : -1))
  if (current === undefined) return undefined
  const { container, recorded, spares } = current
  return {
    kind: 'present',
    recorded,
    outputs: { object: container.name },
    live: liveOf(view, container, recorded),
    spares,
  }
}

function recordedIn({ labels }: ListedContainer): Recorded | undefined {
  return labels[label.rehearsal] === undefined ? recordedOf(labels) : undefined
}

function liveOf(
  { memory, lists }: View,
  container: ListedContainer,
  recorded: Recorded | undefined,
): Json {
  const { id, name, state, exitCode, imageId, networks, pod, startedAt } = container
  const image = isRecord<Json>(recorded?.spec) ? recorded.spec['image'] : undefined
  const tagId = typeof image === 'string' ? imageIdOf(image, memory.images) : undefined
  return {
    id,
    name,
    state,
    exitCode,
    imageId,
    tagId: tagId ?? '',
    networks,
    ports: container.ports.map(({ hostPort, protocol, hostIP }) => ({
      hostPort,
      protocol,
      hostIP,
    })),
    pod,
    isPodDown: isPodDown(lists, pod),
    startedAt,
  } satisfies LiveContainer
}

/** After a reboot Podman tells of what held the network that it was never started: down is whatever does not run. */
function isPodDown({ pods, containers }: Lists, name: string): boolean {
  if (name === '' || !isSeen(pods) || !isSeen(containers)) return false
  const pod = pods.find((one) => one.name === name)
  const infra = containers.find(({ id }) => id === pod?.infraId)
  return infra !== undefined && infra.state !== 'running' && infra.state !== 'paused'
}
