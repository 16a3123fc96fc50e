/** Whether what runs is what is wanted; if not, what differs, and whether it can be mended or must be replaced. */
import type { Difference, Kind } from '#model/domain.ts'
import type { Change } from '#model/plan.ts'
import { kindOf } from '#model/ref.ts'
import type { Present, Resource } from '#model/resource.ts'
import type { Vault } from '#model/vault.ts'
import { causeOf, changedVolume, unreadable } from './changes.ts'

export type Comparison = {
  /** Against what is recorded on it, without what is no property of what runs. */
  changesOf(wanted: Resource, seen: Present, vault: Vault): readonly Change[]
  /** The declaration did not change: whether what runs did. */
  driftOf(wanted: Resource, seen: Present): Difference
  /** A field as a person wrote it. */
  written?(path: string): string
  /** A change as it is shown. */
  shown?(change: Change): Change
  /** Why its record can't be read, where that is known. */
  whyUnreadable?(seen: Present): string | undefined
  warnings?(wanted: Resource, seen: Present): readonly string[]
}

export function compareBy(how: Comparison): Kind['compare'] {
  return (wanted, seen, vault, allowed) => {
    const kind = kindOf(wanted.ref)
    if (seen.recorded === undefined) return unreadable(kind, how.whyUnreadable?.(seen))
    const changes = how.changesOf(wanted, seen, vault)
    if (changes.length === 0) return how.driftOf(wanted, seen)
    if (kind === 'volume') {
      const fields = changes.map(({ path }) => how.written?.(path) ?? path)
      return changedVolume(wanted, changes, fields, allowed)
    }
    const warnings = how.warnings?.(wanted, seen)
    return {
      kind: 'changed',
      how: 'replace',
      cause: causeOf(changes),
      changes: changes.map((change) => how.shown?.(change) ?? change),
      ...(warnings === undefined ? {} : { warnings }),
    }
  }
}
