/** What the records of this application say of its containers as they run now. */
import { recordedSpec } from '#domains/containers/expand/recorded.ts'
import type { Expansion } from '#model/domain.ts'
import { addToList, indexedOnce } from '#model/observation-index.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import { isRecordedService, type RecordedService } from '../spec-of.ts'

/** The spec that the running container was made from. */
export function recordedService(expansion: Expansion, ref?: Ref): RecordedService | undefined {
  return recordedSpec(expansion, isRecordedService, ref)
}

/** Whoever was made to go where this one goes: they live in its namespaces, or are restarted with it. */
export function followersOf({ world, ref }: Expansion): readonly Ref[] {
  return followersByRef(world).get(ref) ?? []
}

const followersByRef = indexedOnce((world) => {
  const index = new Map<Ref, Ref[]>()
  for (const [other, seen] of world) {
    if (seen.kind !== 'present' || kindOf(other) !== 'container') continue
    const renewing = (seen.recorded?.needs ?? []).filter(({ renew }) => renew)
    for (const ref of new Set(renewing.map((need) => need.ref))) addToList(index, ref, other)
  }
  return index
})
