/** The two ports of the charts. */
import type { Podman } from '#clients/podman/client.ts'
import { targetOf, type ConfinableTarget } from '#domains/containers/target.ts'
import type { Kind, Target } from '#model/domain.ts'
import { kindOf } from '#model/ref.ts'
import type { Observation, Resource } from '#model/resource.ts'
import { compare } from './compare/compare.ts'
import { candidatesOf } from './image-name.ts'
import { expand } from './expand/expand.ts'
import { keeps } from './expand/keeps.ts'
import { liveContainer } from './live-state.ts'
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
    return subjectOf(containerSpecOf(wanted.spec), liveContainer(seen.live).id)
  },
  // what another source left behind is refused as a whole
  stops: ({ code }) => code === 'denied',
  healthGate: (ref) => (kindOf(ref) === 'container' ? 'healthy' : undefined),
}

/** One that ran for so long has really started, whether or not it ended before, ms. */
const settled = 5_000

/**
 * Lists say nothing of health here: of what a run left that did not end well, nobody knows whether it is. What has no check is
 * well once it runs, and that the list tells.
 */
function unprovenIn(
  wanted: readonly Resource[],
  world: Observation,
  now: number,
): ReturnType<NonNullable<Target['gates']>> {
  return wanted.flatMap((resource) => {
    const { ref, problems, spec } = resource
    const seen = world.get(ref)
    if (kindOf(ref) !== 'container' || problems.length > 0 || seen?.kind !== 'present') return []
    const { state, startedAt } = liveContainer(seen.live)
    if (state !== 'running') return []
    const isWell = containerSpecOf(spec).health === undefined && now - startedAt * 1000 > settled
    return isWell ? [] : [{ ref, subject: chartsKind.subject(resource, seen) }]
  })
}

export function chartsTarget(podman: Podman): Target {
  return chartsSite(podman).target
}

export function chartsSite(podman: Podman): ConfinableTarget {
  const memory = emptyMemory()
  const worlds = new WeakMap<readonly Resource[], Observation>()
  return targetOf({
    memory,
    candidatesOf,
    observe: (request) => observe(podman, memory, request),
    seen: (wanted, world) => void worlds.set(wanted, world),
    gates: (wanted, isProven) =>
      isProven ? [] : unprovenIn(wanted, worlds.get(wanted) ?? new Map(), Date.now()),
    operate: (operation, context, confinement) =>
      operate(podman, memory, operation, context, confinement),
    look: (ref, subject, gate, signal) => look(podman, memory, ref, subject, gate, signal),
    watch: (owner, signal) => watch(podman, memory, owner, signal),
  })
}
