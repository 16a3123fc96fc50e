/** What a run of the past applied, with what it left alone: services whose profiles were not active then. */
import { leavingAlone } from '#domains/stacks/leaving.ts'
import type { Rendered } from '#model/domain.ts'
import type { StoredSnapshot } from '#model/store.ts'
import { inactiveIn, renderedAsItRan, renderedFrom, type Past } from '#store/past.ts'

/** `past`: for going back to that run, with the images that it used. */
export function renderedAgain(snapshot: StoredSnapshot, seed: Uint8Array, past?: Past): Rendered {
  const rendered = past === undefined ? renderedFrom(snapshot, seed) : renderedAsItRan(past, seed)
  const inactive = inactiveIn(snapshot)
  return inactive.length === 0 ? rendered : { ...rendered, leaves: leavingAlone(new Set(inactive)) }
}
