/** What stays though nobody declares it any more. */
import type { Permissions } from '#model/domain.ts'
import { isRecord, type Json } from '#model/json.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Present } from '#model/resource.ts'
import { liveVolume } from '../live-state.ts'

/** Why it is kept. Data is never a side effect; a directory that was only ever scratch goes with its application. */
export function keeps(ref: Ref, seen: Present, { pruneVolumes }: Permissions): string | undefined {
  if (kindOf(ref) !== 'volume' || pruneVolumes) return undefined
  if (!liveVolume(seen.live).hasObject) return undefined
  return isEphemeral(seen.recorded?.spec) ? undefined : 'it holds data; --prune-volumes removes it'
}

function isEphemeral(spec: Json | undefined): boolean {
  const from = isRecord<Json>(spec) ? spec['from'] : undefined
  return isRecord<Json>(from) && from['isEphemeral'] === true
}
