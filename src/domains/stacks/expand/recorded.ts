/** What the records of this application say of its containers as they run now. */
import type { Expansion } from '#model/domain.ts'
import type { Ref } from '#model/ref.ts'
import { isRecordedService, type RecordedService } from '../spec-of.ts'

/** The spec that the running container was made from. */
export function recordedService(
  expansion: Expansion,
  ref: Ref = expansion.ref,
): RecordedService | undefined {
  const seen = ref === expansion.ref ? expansion.seen : expansion.world.get(ref)
  const spec = seen?.kind === 'present' ? seen.recorded?.spec : undefined
  return spec !== undefined && isRecordedService(spec) ? spec : undefined
}
