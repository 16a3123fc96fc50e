/** Containers that were not healthy when they were listed: a run that leaves them as they are waits for them too. */
import type { Target } from '#model/domain.ts'
import type { Json } from '#model/json.ts'
import { kindOf } from '#model/ref.ts'
import type { Observation, Resource } from '#model/resource.ts'
import { liveContainer } from '../live.ts'
import { recordedServiceOf } from '../spec-of.ts'
import { subjectOf } from './subject.ts'

type Gates = ReturnType<NonNullable<Target['gates']>>

export function unwellIn(wanted: readonly Resource[], world: Observation, now: number): Gates {
  return wanted.flatMap(({ ref, spec, problems }) => {
    const seen = world.get(ref)
    if (kindOf(ref) !== 'container' || problems.length > 0 || seen?.kind !== 'present') return []
    const { state, health } = liveContainer(seen.live)
    if (state !== 'running' || (health !== 'starting' && health !== 'unhealthy')) return []
    const service = recordedServiceOf(spec)
    const subject: Json = subjectOf(service, service.object, now)
    return [{ ref, subject }]
  })
}
