/** The two ports of the charts. */
import type { Podman } from '#clients/podman/client.ts'
import type { Confinement } from '#domains/containers/confinement.ts'
import { imagesIn } from '#domains/containers/pinned-image.ts'
import type { Kind, Target } from '#model/domain.ts'
import { kindOf } from '#model/ref.ts'
import type { Observation, Resource } from '#model/resource.ts'
import { compare } from './compare/compare.ts'
import { candidatesOf } from './image-name.ts'
import { expand } from './expand/expand.ts'
import { keeps } from './expand/keeps.ts'
import { liveContainer } from './live.ts'
import { look } from './look/look.ts'
import { subjectOf } from './look/subject.ts'
import { emptyMemory } from './memory.ts'
import { observe } from './observe/observe.ts'
import { operate } from './operate/operate.ts'
import { containerSpecOf } from './spec-of.ts'
import { watch } from './look/watch.ts'

export const chartsKind: Kind = {
  compare,
  expand,
  keeps,
  subject(wanted, seen) {
    if (kindOf(wanted.ref) !== 'container') return null
    return subjectOf(containerSpecOf(wanted.spec), liveContainer(seen.live).name)
  },
  healthGate: (ref) => (kindOf(ref) === 'container' ? 'healthy' : undefined),
}

/** Lists say nothing of health here: of what a run left that did not end well, nobody knows whether it is. */
function runningIn(
  wanted: readonly Resource[],
  world: Observation,
): ReturnType<NonNullable<Target['gates']>> {
  return wanted.flatMap((resource) => {
    const { ref, problems } = resource
    const seen = world.get(ref)
    if (kindOf(ref) !== 'container' || problems.length > 0 || seen?.kind !== 'present') return []
    const isRunning = liveContainer(seen.live).state === 'running'
    return isRunning ? [{ ref, subject: chartsKind.subject(resource, seen) }] : []
  })
}

export type ChartsSite = {
  readonly target: Target
  /** The same target for one application that is followed: what it binds is checked on the disk. */
  confined(confinement: Confinement): Target
}

export function chartsTarget(podman: Podman): Target {
  return chartsSite(podman).target
}

export function chartsSite(podman: Podman): ChartsSite {
  const memory = emptyMemory()
  const worlds = new WeakMap<readonly Resource[], Observation>()
  const target: Target = {
    async observe(request) {
      const world = await observe(podman, memory, request)
      worlds.set(request.wanted, world)
      return world
    },
    gates: (wanted, isProven) =>
      isProven ? [] : runningIn(wanted, worlds.get(wanted) ?? new Map()),
    operate: (operation, context) => operate(podman, memory, operation, context),
    look: (ref, subject, gate, signal) => look(podman, memory, ref, subject, gate, signal),
    async images(owner, signal) {
      const look = { owner, wanted: [], refresh: false, isGlance: true, signal, report() {} }
      const world = await observe(podman, memory, look)
      return imagesIn(world, memory.images, candidatesOf)
    },
    watch: (owner, signal) => watch(podman, memory, owner, signal),
  }
  return {
    target,
    confined: (confinement) => ({
      ...target,
      operate: (operation, context) => operate(podman, memory, operation, context, confinement),
    }),
  }
}
