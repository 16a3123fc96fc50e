/** Containers that were not healthy when they were listed: a run that leaves them as they are waits for them too. */
import type { Target } from '#model/domain.ts'
import type { Json } from '#model/json.ts'
import { kindOf } from '#model/ref.ts'
import type { Observation, Resource } from '#model/resource.ts'
import { liveContainer } from '../live.ts'
import type { Memory } from '../memory.ts'
import { recordedServiceOf } from '../spec-of.ts'
import { subjectOf } from './subject.ts'

type Gates = ReturnType<NonNullable<Target['gates']>>

export function unwellIn(
  wanted: readonly Resource[],
  world: Observation,
  { probes }: Memory,
  now: number,
): Gates {
  return wanted.flatMap(({ ref, spec, problems }) => {
    const seen = world.get(ref)
    if (kindOf(ref) !== 'container' || problems.length > 0 || seen?.kind !== 'present') return []
    const { id, state, health } = liveContainer(seen.live)
    // older Podmans' lists say nothing of health: there the last check that was run from here counts
    const isUnwell = health === '' ? probes.has(id) : health !== 'healthy'
    if (state !== 'running' || !isUnwell) return []
    const service = recordedServiceOf(spec)
    const subject: Json = subjectOf(service, service.object, now)
    return [{ ref, subject }]
  })
}
