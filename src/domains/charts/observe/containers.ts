/** Which container is the one, and which ones a killed run left beside it. */
import { spareText } from '#domains/containers/live.ts'
import type { ListedContainer } from '#clients/podman/containers.ts'
import { recordedOf } from '#domains/containers/record.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Present, Recorded } from '#model/resource.ts'
import { imageIdOf } from '../image-name.ts'
import { label } from '../labels.ts'
import { isDown, type LiveContainer } from '../live.ts'
import { isSeen, type Lists } from './all.ts'
import type { View } from './observe.ts'

export function observeContainers(view: View): ReadonlyMap<Ref, Present> {
  const { containers } = view.lists
  const found = new Map<Ref, Present>()
  if (!isSeen(containers)) return found
  for (const [ref, own] of ownByRef(containers, view.owner)) found.set(ref, present(view, own))
  return found
}

/** Owned things by their ref. Infra containers carry their pod's labels: they are the pod's. */
export function ownByRef<Item extends { readonly labels: Readonly<Record<string, string>> }>(
  items: readonly Item[],
  owner: string,
): ReadonlyMap<Ref, readonly Item[]> {
  const found = new Map<Ref, Item[]>()
  for (const item of items) {
    const ref = item.labels[label.ref]
    if (item.labels[label.owner] !== owner || ref === undefined) continue
    if ('isInfra' in item && item.isInfra === true) continue
    const same = found.get(ref)
    if (same === undefined) found.set(ref, [item])
    else same.push(item)
  }
  return found
}

type Candidate = { readonly container: ListedContainer; readonly recorded: Recorded | undefined }

function present(view: View, own: readonly ListedContainer[]): Present {
  const candidates = own.map((container) => ({ container, recorded: recordedIn(container) }))
  const [current, ...others] = candidates.toSorted(
    (one, other) =>
      rank(one) - rank(other) || (one.container.createdAt < other.container.createdAt ? 1 : -1),
  )
  const { container, recorded } = current!
  return {
    kind: 'present',
    recorded,
    outputs: { object: container.name },
    live: liveOf(view, container, recorded),
    spares: others.map(({ container: spare }) => spareText(spare)),
  }
}

function recordedIn({ labels }: ListedContainer): Recorded | undefined {
  return labels[label.rehearsal] === undefined ? recordedOf(labels) : undefined
}

/** The one under its own name; else the kept old one, which was good; else whatever there is. */
function rank({ container, recorded }: Candidate): number {
  const spec = recorded?.spec
  const object = isRecord<Json>(spec) ? spec['object'] : undefined
  if (container.name === object) return 0
  if (container.labels[label.rehearsal] !== undefined) return 4
  if (container.name.includes('-prev-')) return 1
  return container.name.includes('-next-') ? 3 : 2
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

function isPodDown({ pods, containers }: Lists, name: string): boolean {
  if (name === '' || !isSeen(pods) || !isSeen(containers)) return false
  const pod = pods.find((one) => one.name === name)
  const infra = containers.find(({ id }) => id === pod?.infraId)
  return infra !== undefined && isDown(infra.state)
}
