/** Networks of this application, with who is on them. */
import { recordedOf } from '#domains/containers/record.ts'
import type { Ref } from '#model/ref.ts'
import type { Present } from '#model/resource.ts'
import type { LiveNetwork } from '../live.ts'
import { isSeen } from './all.ts'
import { ownByRef } from './containers.ts'
import type { View } from './observe.ts'

export function observeNetworks({ lists, owner }: View): ReadonlyMap<Ref, Present> {
  const found = new Map<Ref, Present>()
  if (!isSeen(lists.networks)) return found
  const attached = new Map<string, string[]>()
  for (const { id, networks } of isSeen(lists.containers) ? lists.containers : []) {
    for (const name of networks) {
      const list = attached.get(name)
      if (list === undefined) attached.set(name, [id])
      else list.push(id)
    }
  }
  for (const [ref, own] of ownByRef(lists.networks, owner)) {
    const [network, ...others] = own
    const { name, labels } = network!
    found.set(ref, {
      kind: 'present',
      recorded: recordedOf(labels),
      outputs: { object: name },
      live: { name, attached: attached.get(name) ?? [] } satisfies LiveNetwork,
      spares: others.map((other) => `${other.name} ${other.name} made`),
    })
  }
  return found
}
