/** The two ports of the stacks. */
import type { Confinement } from '#domains/containers/confinement.ts'
import { imagesIn } from '#domains/containers/pinned-image.ts'
import type { Docker } from '#clients/docker/client.ts'
import type { EngineFacts } from '#clients/docker/system.ts'
import type { Kind, Target } from '#model/domain.ts'
import { kindOf } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import type { Adopted } from './adopted.ts'
import { compare } from './compare/compare.ts'
import { expand } from './expand/expand.ts'
import { candidatesOf } from './image-name.ts'
import { keeps } from './keeps.ts'
import { liveContainer } from './live.ts'
import { look } from './look/look.ts'
import { subjectOf } from './look/subject.ts'
import { gatesIn, unwellIn } from './look/unwell.ts'
import { emptyMemory } from './memory.ts'
import { sharedLists, type Lists } from './observe/lists.ts'
import { observe } from './observe/observe.ts'
import { factsIn } from './operate/job.ts'
import { operate } from './operate/operate.ts'
import { recordedServiceOf } from './spec-of.ts'
import { watch } from './watch.ts'

export const stacksKind: Kind = {
  compare,
  expand,
  keeps,
  subject(wanted, seen) {
    if (kindOf(wanted.ref) !== 'container') return null
    return subjectOf(recordedServiceOf(wanted.spec), liveContainer(seen.live).name)
  },
  // a service without a check can never be healthy in Compose's sense: it is well once it has started and passes what check it has
  healthGate: (ref) => (kindOf(ref) === 'container' ? 'started' : undefined),
}

export type StacksOptions = {
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
export type StacksSite = {
  readonly target: Target
  /** The same target for one application that is followed: what it binds is checked on the disk. */
  confined(confinement: Confinement): Target
  /** Shared with all who look meanwhile; `isNew`: no older ones serve. */
  lists(signal: AbortSignal, isNew: boolean): Promise<Lists>
  facts(signal: AbortSignal): Promise<EngineFacts>
  /** From now on these count as taken over, though nothing says so on the engine: for a dry run. */
  asIfAdopted(owner: string, adopted: Adopted): void
}

export function stacksSite(engine: Docker, options: StacksOptions = {}): StacksSite {
  const memory = emptyMemory()
  const serve = options.listsServe ?? 0
  const unwell = new WeakMap<readonly Resource[], ReturnType<typeof unwellIn>>()
  const target: Target = {
    async observe(request) {
      const world = await observe(engine, memory, serve, request)
      unwell.set(request.wanted, unwellIn(request.wanted, world, memory, Date.now()))
      return world
    },
    gates: (wanted, isProven) => gatesIn(unwell.get(wanted) ?? [], isProven),
    operate: (operation, context) => operate(engine, memory, operation, context),
    look: (ref, subject, gate, signal) => look(engine, memory, ref, subject, gate, signal),
    async images(owner, signal) {
      const look = { owner, wanted: [], refresh: false, isGlance: true, signal, report() {} }
      const world = await observe(engine, memory, serve, look)
      return imagesIn(world, memory.images, candidatesOf)
    },
    watch: (owner, signal) => watch(engine, memory, owner, signal),
  }
  return {
    target,
    confined: (confinement) => ({
      ...target,
      operate: (operation, context) => operate(engine, memory, operation, context, confinement),
    }),
    facts: (signal) => factsIn(engine, memory, signal),
    asIfAdopted: (owner, adopted) => void memory.asIfAdopted.set(owner, adopted),
    lists(signal, isNew) {
      if (isNew) delete memory.lists
      return sharedLists(engine, memory, serve, signal)
    },
  }
}
