/** The two ports of the kustomizations. */
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { Discovery } from '#clients/kubernetes/discovery.ts'
import type { Clock } from '#model/clock.ts'
import type { Kind, Target } from '#model/domain.ts'
import { compare } from './compare.ts'
import { expand, subjectOf } from './expand.ts'
import { look } from './look.ts'
import { siteOf } from './memory.ts'
import { nameOfObject, wishesOf, type Owner } from './object.ts'
import { observe, type Looking } from './observe.ts'
import { operate } from './operate.ts'
import { liveOf } from './sight.ts'
import { watch } from './watch.ts'

export const kustomizationsKind: Kind = {
  compare,
  expand,
  isWhole: true,
  keeps(_ref, seen) {
    const { object } = liveOf(seen.live)
    return wishesOf(object).isPruned ? undefined : 'its annotations say that it is not pruned'
  },
  subject: (wanted) => subjectOf(nameOfObject(wanted.spec)),
}

export type KustomizationTarget = {
  readonly kubernetes: Kubernetes
  /** One for all who speak to the cluster. */
  readonly discovery: Discovery
  readonly clock: Clock
  readonly owner: Owner
  readonly looking: Looking
}

export function kustomizationTarget(parts: KustomizationTarget): Target {
  const { kubernetes, discovery, clock, owner, looking } = parts
  const site = siteOf(kubernetes, discovery, clock, owner)
  return {
    observe: ({ wanted, signal }) => observe(site, looking, wanted, signal),
    operate: (operation, context) => operate(site, operation, context),
    look: (ref, subject, _gate, signal) => look(site, ref, subject, signal),
    watch: (_owner, signal) => watch(site, signal),
  }
}
