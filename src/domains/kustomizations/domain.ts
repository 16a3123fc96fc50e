/** The two ports of the kustomizations. */
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { Discovery } from '#clients/kubernetes/discovery.ts'
import type { Clock } from '#model/clock.ts'
import type { Kind, Target } from '#model/domain.ts'
import type { Place } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { ClusterCache } from './observe/cluster-cache.ts'
import { compare } from './compare/compare.ts'
import { expand, subjectOf } from './expand/expand.ts'
import { gatesOf } from './expand/gates.ts'
import { look } from './look/look.ts'
import { setMemory, setContextOf, type SetMemory } from './memory.ts'
import { nameOfObject, wishesOf, type ObjectName, type Owner } from './object.ts'
import { observe } from './observe/observe.ts'
import { operate } from './operate/operate.ts'
import type { ServerMarks } from './observe/server-fingerprint.ts'
import { liveOf } from './observe/live-object.ts'
import { watch } from './look/watch.ts'
import type { Claims, ApplyOptions } from './apply-options.ts'

/** `claims`: which other set declares an object by now; that one is then not this set's to prune. */
export function kustomizationsKind(options: ApplyOptions, claims: Claims = () => undefined): Kind {
  return {
    compare: (wanted, seen, vault) => compare(options, wanted, seen, vault, claims),
    expand: (expansion) => expand(options, expansion),
    isWhole: true,
    keeps(ref, seen) {
      const { object } = liveOf(seen.live)
      if (!wishesOf(object).isPruned) return 'its annotations say that it is not pruned'
      const other = claims(ref)
      return other === undefined ? undefined : `by now ${other} declares it`
    },
    subject: (wanted) => subjectOf(nameOfObject(wanted.spec)),
    healthGate: () => 'healthy',
  }
}

type KustomizationTarget = {
  readonly kubernetes: Kubernetes
  /** One for all who speak to the cluster in one name. */
  readonly discovery: Discovery
  readonly clock: Clock
  readonly owner: Owner
  readonly options: ApplyOptions
  /** What the set consisted of before, as `namesIn(status.inventory)` reads it: only these kinds are searched. */
  readonly inventory?: readonly ObjectName[] | undefined
  /** All that may be removed; unset: whatever bears the labels of the set. */
  readonly ownedObjects?: (() => Promise<ReadonlySet<Ref>>) | undefined
  /** Knows kinds that no inventory names, of a run that was killed. */
  readonly clusterCache?: Pick<ClusterCache, 'kindsOf' | 'follow' | 'seen'> | undefined
  /** Which other set declares an object by now. */
  readonly claims?: Claims | undefined
  /** Of a set that goes: another one that went, too. */
  readonly isAbandoned?: ((other: Owner) => boolean) | undefined
  /** Where the field stands that a server complains about, in the file that declares the object. */
  readonly placeOf?:
    | ((origin: Place, kind: string, message: string) => Promise<Place | undefined>)
    | undefined
  /** One for all sets that are applied over the same line. */
  readonly serverMarks?: ServerMarks | undefined
  /** Kept from run to run of a set, it saves calls; a new one is never wrong. */
  readonly memory?: SetMemory | undefined
}

export function kustomizationTarget(parts: KustomizationTarget): Target {
  const set = setContextOf({ ...parts, memory: parts.memory ?? setMemory() })
  return {
    timeoutName: 'spec.timeout',
    observe: (request) => observe(set, request),
    operate: (operation, context) => operate(set, operation, context),
    look: (ref, subject, _gate, signal) => look(set, ref, subject, signal),
    gates: (wanted) => gatesOf(set, wanted),
    watch: (_owner, signal) => watch(set, signal),
  }
}
