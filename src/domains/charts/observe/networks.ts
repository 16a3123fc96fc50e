/** Networks of this application, with who is on them. */
import type { ListedContainer } from '#clients/podman/containers.ts'
import { attachedBy } from '#domains/containers/observe/networks.ts'
import { recordedOf } from '#domains/containers/record.ts'
import type { Ref } from '#model/ref.ts'
import type { Present } from '#model/resource.ts'
import type { LiveNetwork } from '../live-state.ts'
import { isSeen } from './all.ts'
import { ownByRef } from '#domains/containers/observe/own.ts'
import type { View } from './observe.ts'
import { defined } from '#model/defined.ts'

const attachedIn = attachedBy(({ networks }: ListedContainer) => networks)

export function observeNetworks({ lists, owner }: View): ReadonlyMap<Ref, Present> {
  const found = new Map<Ref, Present>()
  if (!isSeen(lists.networks)) return found
  const attached = attachedIn(isSeen(lists.containers) ? lists.containers : [])
  for (const [ref, own] of ownByRef(lists.networks, owner)) {
    const [network, ...others] = own
    const { id, name, labels } = defined(network)
    found.set(ref, {
      kind: 'present',
      recorded: recordedOf(labels),
      outputs: { object: name },
      live: {
        id,
        name,
        attached: (attached.get(name) ?? []).map((one) => one.id),
      } satisfies LiveNetwork,
      spares: others.map((other) => `${other.name} ${other.name} made`),
    })
  }
  return found
}
