/** Which container is the one, and which ones a killed run left beside it. */
import type { ListedContainer } from '#clients/docker/container-list.ts'
import { recordedOf } from '#engine/record.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Present, Recorded } from '#model/resource.ts'
import { imageIdOf, plainId } from '../image-name.ts'
import { spareText, type LiveContainer } from '../live.ts'
import { isNext, isPrevious } from '../object-names.ts'
import { ownByRef } from './own.ts'
import type { View } from './observe.ts'

export function observeContainers(view: View): ReadonlyMap<Ref, Present> {
  const { containers } = view.lists
  const found = new Map<Ref, Present>()
  for (const [ref, own] of ownByRef(containers, view.owner)) found.set(ref, present(view, own))
  return found
}

type Candidate = { readonly container: ListedContainer; readonly recorded: Recorded | undefined }

function present(view: View, own: readonly ListedContainer[]): Present {
  const candidates = own.map((container) => ({
    container,
    recorded: recordedOf(container.labels),
  }))
  const [current, ...others] = candidates.toSorted(
    (one, other) => rank(one) - rank(other) || other.container.createdAt - one.container.createdAt,
  )
  const { container, recorded } = current!
  return {
    kind: 'present',
    recorded,
    outputs: { object: container.name, id: container.id },
    live: liveOf(view, container, recorded),
    spares: others.map(({ container: spare }) => spareText(spare)),
  }
}

/** The one under its own name; else the kept old one, which was good; else whatever there is. */
function rank({ container: { name }, recorded }: Candidate): number {
  const spec = recorded?.spec
  const object = isRecord<Json>(spec) ? spec['object'] : undefined
  if (name === object) return 0
  if (isPrevious(name)) return 1
  return isNext(name) ? 3 : 2
}

function liveOf(view: View, container: ListedContainer, recorded: Recorded | undefined): Json {
  const { id, name, state, exitCode, imageId, ports, mounts } = container
  const image = isRecord<Json>(recorded?.spec) ? recorded.spec['image'] : undefined
  const tagId = typeof image === 'string' ? imageIdOf(image, view.memory.images) : undefined
  return {
    id,
    name,
    state,
    exitCode: exitCode ?? 0,
    imageId: plainId(imageId),
    tagId: tagId ?? '',
    networks: reallyOn(view, container),
    ports: ports
      .filter(({ hostPort }) => hostPort !== 0)
      .map(({ hostPort, protocol, hostIP }) => ({ hostPort, protocol, hostIP })),
    anonymous: mounts
      .filter(({ type, name: volume }) => type === 'volume' && /^[0-9a-f]{64}$/.test(volume))
      .map(({ name: volume, destination }) => ({ volume, target: destination })),
  } satisfies LiveContainer
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
