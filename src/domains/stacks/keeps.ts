/** What stays though nobody declares it any more. */
import type { Permissions } from '#model/domain.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Present } from '#model/resource.ts'

/** Why it is kept. Data is never a side effect. */
export function keeps(ref: Ref, _: Present, { pruneVolumes }: Permissions): string | undefined {
  if (kindOf(ref) !== 'volume' || pruneVolumes) return undefined
  return 'it holds data; only down --volumes and up --prune-volumes remove it'
}
