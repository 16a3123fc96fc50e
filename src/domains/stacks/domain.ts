/** The two ports of the stacks. */
import { targetOf, type ConfinableTarget } from '#domains/containers/target.ts'
import type { Docker } from '#clients/docker/client.ts'
import type { EngineFacts } from '#clients/docker/system.ts'
import type { Kind, Target } from '#model/domain.ts'
import { kindOf } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import type { Adopted } from './adopt-labels.ts'
import { compare } from './compare/compare.ts'
import { expand } from './expand/expand.ts'
import { candidatesOf } from './image-name.ts'
import { keeps } from './keeps.ts'
import { liveContainer } from './live-state.ts'
import { look } from './look/look.ts'
import { subjectOf } from './look/subject.ts'
import { gatesIn, unwellIn } from './look/unwell.ts'
import { emptyMemory } from './memory.ts'
import type { KeptSettings } from './observe/kept-settings.ts'
import { sharedLists, type Lists } from './observe/lists.ts'
import { withoutNamesOfOthers } from './observe/names-of-others.ts'
import { observe } from './observe/observe.ts'
import { factsIn } from './operate/job.ts'
import { operate } from './operate/operate.ts'
import { recordedServiceOf } from './spec-of.ts'
import { watch } from './look/watch.ts'

export const stacksKind: Kind = {
  compare,
  expand,
  keeps,
  subject(wanted, seen) {
    if (kindOf(wanted.ref) !== 'container') return null
    return subjectOf(recordedServiceOf(wanted.spec), liveContainer(seen.live).id)
  },
  // a stack of which one part can't be published, can't have its name or is another's is half a stack
  stops: ({ code }) => code === 'port_taken' || code === 'name_taken' || code === 'denied',
  // a service without a check can never be healthy in Compose's sense: it is well once it has started and passes what check it has
  healthGate: (ref) => (kindOf(ref) === 'container' ? 'started' : undefined),
}

type StacksOptions = {
  /**
   * How long one round of lists may serve, ms: for whoever goes through many stacks in one sweep. Those who look at the same
   * moment share one round always, and whatever this target changes ends it.
   */
  readonly listsServe?: number
}

export function stacksTarget(engine: Docker, options: StacksOptions = {}): Target {
  return stacksSite(engine, options).target
}

/** A target, and the lists that it looks at: for whoever looks at all stacks of an engine at once. */
type StacksSite = ConfinableTarget & {
  /** Shared with all who look meanwhile; `isNew`: no older ones serve. */
  lists(signal: AbortSignal, isNew: boolean): Promise<Lists>
  facts(signal: AbortSignal): Promise<EngineFacts>
  /** As this target would be, were these taken over. */
  asIf(target: Target, adopted: Adopted): Target
  /** For whoever listens to the engine's events: until then each look inspects every container. */
  readonly settings: Pick<KeptSettings, 'listening' | 'deaf' | 'forget'>
  /** From now on these count as taken over, though nothing says so on the engine: for a dry run. */
  asIfAdopted(owner: string, adopted: Adopted): void
}

export function stacksSite(engine: Docker, options: StacksOptions = {}): StacksSite {
  const memory = emptyMemory()
  const serve = options.listsServe ?? 0
  const unwell = new WeakMap<readonly Resource[], ReturnType<typeof unwellIn>>()
  const site = targetOf({
    memory,
    candidatesOf,
    observe: (request) => observe(engine, memory, serve, request),
    seen: (wanted, world) => void unwell.set(wanted, unwellIn(wanted, world, memory, Date.now())),
    refuse: (world, wanted, confinement) =>
      withoutNamesOfOthers(world, wanted, confinement, memory),
    gates: (wanted, isProven) => gatesIn(unwell.get(wanted) ?? [], isProven),
    operate: (operation, context, confinement) =>
      operate(engine, memory, operation, context, confinement),
    look: (ref, subject, gate, signal) => look(engine, memory, ref, subject, gate, signal),
    watch: (owner, signal) => watch(engine, memory, owner, signal),
  })
  return {
    ...site,
    settings: memory.settings,
    asIf: (other, adopted) => ({
      ...other,
      observe: (request) => observe(engine, memory, serve, request, adopted),
    }),
    facts: (signal) => factsIn(engine, memory, signal),
    asIfAdopted: (owner, adopted) => void memory.asIfAdopted.set(owner, adopted),
    lists(signal, isNew) {
      if (isNew) delete memory.lists
      return sharedLists(engine, memory, serve, signal)
    },
  }
}
