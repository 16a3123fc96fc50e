/** Networks of this application, with who is on them, and those of others that it uses. */
import type { ListedContainer } from '#clients/docker/container-list.ts'
import { recordedOf } from '#engine/record.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Absent, Present } from '#model/resource.ts'
import type { LiveNetwork } from '../live.ts'
import { networkSpecOf } from '../spec-of.ts'
import type { View } from './observe.ts'
import { given, missing, ownByRef } from './own.ts'

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
    const { id, name, labels } = network!
    found.set(ref, {
      kind: 'present',
      recorded: recordedOf(labels),
      outputs: { object: name },
      live: { id, name, attached: attached.get(name) ?? [] } satisfies LiveNetwork,
      spares: others.map((other) => `${other.name} ${other.id} made`),
    })
  }
  for (const [ref, resource] of wanted) {
    if (kindOf(ref) !== 'network') continue
    const { object, isExternal } = networkSpecOf(resource.spec)
    if (!isExternal) continue
    const other = networks.find(({ name }) => name === object)
    const live = { id: other?.id ?? '', name: object, attached: [] } satisfies LiveNetwork
    found.set(
      ref,
      other === undefined ? missing(resource, 'network', object) : given(resource, object, live),
    )
  }
  return found
}

const known = new WeakMap<readonly ListedContainer[], ReadonlyMap<string, readonly string[]>>()

/** Who is on each network: found once for all who look at the same lists. */
function attachedIn(
  containers: readonly ListedContainer[],
): ReadonlyMap<string, readonly string[]> {
  const before = known.get(containers)
  if (before !== undefined) return before
  const attached = new Map<string, string[]>()
  for (const { id, networks } of containers) {
    for (const { network } of networks) {
      const list = attached.get(network)
      if (list === undefined) attached.set(network, [id])
      else list.push(id)
    }
  }
  known.set(containers, attached)
  return attached
}
