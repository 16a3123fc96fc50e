/** Containers that were not healthy when they were listed: a run that leaves them as they are waits for them too. */
import type { Target } from '#model/domain.ts'
import type { Json } from '#model/json.ts'
import { kindOf } from '#model/ref.ts'
import type { Observation, Resource } from '#model/resource.ts'
import { liveContainer } from '../live-state.ts'
import type { Memory } from '../memory.ts'
import { recordedServiceOf } from '../spec-of.ts'
import { hasCheck } from './listed.ts'
import { subjectOf } from './subject.ts'

type Gates = ReturnType<NonNullable<Target['gates']>>

/** Those of which nothing is said count only where it is not known that they were well. */
type Unwell = readonly (Gates[number] & { readonly isSaid: boolean })[]

export function gatesIn(unwell: Unwell, isProven: boolean): Gates {
  return isProven ? unwell.filter(({ isSaid }) => isSaid) : unwell
}

export function unwellIn(
  wanted: readonly Resource[],
  world: Observation,
  { probes }: Memory,
  now: number,
): Unwell {
  return wanted.flatMap(({ ref, spec, problems }) => {
    const seen = world.get(ref)
    if (kindOf(ref) !== 'container' || problems.length > 0 || seen?.kind !== 'present') return []
    const { id, state, health } = liveContainer(seen.live)
    // older Podmans' lists say nothing of health: there the last check that was run from here counts
    const isSaid = health !== '' || probes.has(id)
    if (state !== 'running' || health === 'healthy') return []
    const service = recordedServiceOf(spec)
    if (!isSaid && !hasCheck(service)) return []
    const subject: Json = subjectOf(service, id, now)
    return [{ ref, subject, isSaid }]
  })
}
