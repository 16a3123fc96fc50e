/** Networks of this application, with who is on them, and those of others that it uses. */
import type { ListedContainer } from '#clients/docker/container-list.ts'
import { attachedBy } from '#domains/containers/observe/networks.ts'
import { sourceIn } from '#domains/containers/left-behind.ts'
import { ownByRef } from '#domains/containers/observe/own.ts'
import { recordedOf } from '#domains/containers/record.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Absent, Present } from '#model/resource.ts'
import { label } from '../labels.ts'
import type { LiveNetwork } from '../live-state.ts'
import { networkSpecOf } from '../spec-of.ts'
import type { View } from './observe.ts'
import { differsIn, given, missing } from './own.ts'
import { defined } from '#model/defined.ts'

const attachedIn = attachedBy(({ networks }: ListedContainer) =>
  networks.map(({ network }) => network),
)

export function observeNetworks({
  lists,
  owner,
  wanted,
}: View): ReadonlyMap<Ref, Absent | Present> {
  const found = new Map<Ref, Absent | Present>()
  const { networks } = lists
  const attached = attachedIn(lists.containers)
  for (const [ref, own] of ownByRef(networks, owner)) {
    const [network, ...others] = own
    const { id, name, labels } = defined(network)
    found.set(ref, {
      kind: 'present',
      recorded: recordedOf(labels),
      outputs: { object: name },
      live: {
        ...liveOf(id, name, attached.get(name) ?? [], owner),
        ...differsIn(labels),
        ...sourceIn(labels),
      },
      spares: others.map((other) => `${other.name} ${other.id} made`),
    })
  }
  for (const [ref, resource] of wanted) {
    if (kindOf(ref) !== 'network') continue
    const { object, isExternal } = networkSpecOf(resource.spec)
    if (!isExternal) continue
    const other = networks.find(({ name }) => name === object)
    const live = {
      id: other?.id ?? '',
      name: object,
      attached: [],
      strangers: [],
    } satisfies LiveNetwork
    found.set(
      ref,
      other === undefined ? missing(resource, 'network', object) : given(resource, object, live),
    )
  }
  return found
}

function liveOf(
  id: string,
  name: string,
  attached: readonly ListedContainer[],
  owner: string,
): LiveNetwork {
  const strangers = attached.filter(({ labels }) => labels[label.owner] !== owner)
  return {
    id,
    name,
    attached: attached.map((one) => one.id),
    strangers: strangers.map((one) => one.name),
  }
}
