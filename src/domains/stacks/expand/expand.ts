/** From a step on a resource to the calls that carry it out, and those that take it back. */
import { withdrawingOnlyOwn } from '#domains/containers/only-own.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group } from '#model/plan.ts'
import { kindOf } from '#model/ref.ts'
import { expandContainer } from './container.ts'
import { expandNetwork } from './network.ts'
import { expandVolume } from './volume.ts'

export function expand(expansion: Expansion): Group {
  return withdrawingOnlyOwn(expandKind(expansion), expansion.identity.owner)
}

function expandKind(expansion: Expansion): Group {
  const kind = kindOf(expansion.ref)
  switch (kind) {
    case 'container':
      return expandContainer(expansion)
    case 'network':
      return expandNetwork(expansion)
    case 'volume':
      return expandVolume(expansion)
    default:
      throw new TypeError(`no such kind: ${kind}`)
  }
}
