/** Which container is the one, and which ones a killed run left beside it. */
import { currentOf } from '#domains/containers/observe/current.ts'
import { ownByRef } from '#domains/containers/observe/own.ts'
import type { ListedContainer } from '#clients/docker/container-list.ts'
import { recordedOf } from '#domains/containers/record.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Absent, Present, Recorded } from '#model/resource.ts'
import { imageIdOf, plainId } from '../image-name.ts'
import { label } from '../labels.ts'
import { type LiveContainer } from '../live-state.ts'
import { markersIn } from '../marker.ts'
import { differsIn } from './own.ts'
import type { View } from './observe.ts'

export function observeContainers(view: View): ReadonlyMap<Ref, Absent | Present> {
  const { containers } = view.lists
  const found = new Map<Ref, Absent | Present>()
  for (const [ref, own] of ownByRef(containers, view.owner)) {
    const copies = copiesIn(own)
    const ours = own.filter((container) => !copies.includes(container))
    const seen = present(view, ours)
    found.set(ref, copies.length === 0 ? seen : { ...seen, notes: copies.map(copyWords) })
  }
  return found
}

/**
 * An image that was made of a container of ours has our labels, and so has what is made of that image. So have the containers in
 * which an engine builds an image whose Dockerfile sets these labels, whoever wrote it. They have names of their own; and where
 * nothing has ours, one that was renamed is told from them by its image, whose id nobody can write into the image itself.
 */
function copiesIn(own: readonly ListedContainer[]): readonly ListedContainer[] {
  const named = own.filter(hasOwnName)
  return own.filter((container) => {
    if (named.includes(container)) return false
    const madeFrom = container.labels[label.image]
    const isRenamed = madeFrom !== undefined && plainId(madeFrom) === plainId(container.imageId)
    return named.length > 0 || !isRenamed
  })
}

/** Whether the container has the name that was recorded for it, or the name of a spare of it. Without a valid record any name may be its own. */
function hasOwnName({ name, labels }: ListedContainer): boolean {
  const spec = recordedOf(labels)?.spec
  const object = isRecord<Json>(spec) ? spec['object'] : undefined
  return object === undefined || name.replace(/-(?:prev|next)-[0-9a-f]{6}$/, '') === object
}

function copyWords({ name }: ListedContainer): string {
  return `container ${name} has the labels of this stack, but is not its own (made of an image of one of its containers?): it is left alone`
}

function present(view: View, own: readonly ListedContainer[]): Absent | Present {
  const candidates = own.map((container) => ({
    container,
    recorded: recordedOf(container.labels),
  }))
  const current = currentOf(candidates, (one, other) => other.createdAt - one.createdAt)
  if (current === undefined) return { kind: 'absent' }
  const { container, recorded, spares } = current
  return {
    kind: 'present',
    recorded,
    outputs: { object: container.name, id: container.id },
    live: liveOf(view, container, recorded),
    spares,
  }
}

function liveOf(view: View, container: ListedContainer, recorded: Recorded | undefined): Json {
  const { id, name, state, exitCode, health, imageId, ports, mounts } = container
  const image = isRecord<Json>(recorded?.spec) ? recorded.spec['image'] : undefined
  const tagId = typeof image === 'string' ? imageIdOf(image, view.memory.images) : undefined
  return {
    id,
    name,
    state,
    exitCode: exitCode ?? 0,
    health: health ?? '',
    imageId: plainId(imageId),
    tagId: tagId ?? '',
    networks: reallyOn(view, container),
    ports: ports
      .filter(({ hostPort }) => hostPort !== 0)
      .map(({ hostPort, protocol, hostIP }) => ({ hostPort, protocol, hostIP })),
    anonymous: mounts
      .filter(({ type, name: volume }) => type === 'volume' && /^[0-9a-f]{64}$/.test(volume))
      .map(({ name: volume, destination }) => ({ volume, target: destination })),
    settings: {},
    ...differsIn(container.labels),
    ...givenTo(view, container),
  } satisfies LiveContainer
}

/** Files that it was given since it was made: its own labels can't tell. */
function givenTo({ lists, owner }: View, { id }: ListedContainer): Pick<LiveContainer, 'contents'> {
  const contents = markersIn(lists.volumes).get(owner)?.given.get(id)
  return contents === undefined ? {} : { contents }
}

/** By id where the engine tells ids; Podman before 5.4 tells names. One that does not run is on them by name only. */
function reallyOn({ lists }: View, { networks, state }: ListedContainer): readonly string[] {
  return networks
    .filter(({ network, networkId }) => {
      if (networkId === '' || networkId === network || state !== 'running') return true
      return lists.networks.some(({ name, id }) => name === network && id === networkId)
    })
    .map(({ network }) => network)
}
