/** The two ports of the charts. */
import type { Podman } from '#clients/podman/client.ts'
import type { Kind, Target } from '#model/domain.ts'
import { kindOf } from '#model/ref.ts'
import { compare } from './compare/compare.ts'
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
}

export function chartsTarget(podman: Podman): Target {
  const memory = emptyMemory()
  return {
    observe: (request) => observe(podman, memory, request),
    operate: (operation, context) => operate(podman, memory, operation, context),
    look: (ref, subject, gate, signal) => look(podman, memory, ref, subject, gate, signal),
    watch: (owner, signal) => watch(podman, memory, owner, signal),
  }
}
