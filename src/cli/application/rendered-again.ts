/** What a run of the past applied, together with what it left alone (services whose profiles were not active then). */
import { kindNamed } from '#kinds/all.ts'
import type { Application } from '#model/application.ts'
import type { Rendered } from '#model/domain.ts'
import type { StoredSnapshot } from '#model/store.ts'
import { inactiveIn, renderedAsItRan, renderedFrom, type Past } from '#store/past.ts'

/** `past` is set for a rollback to that run, which uses the images that the run used. */
export async function renderedAgain(
  { kind }: Application,
  snapshot: StoredSnapshot,
  seed: Uint8Array,
  past?: Past,
): Promise<Rendered> {
  const rendered = past === undefined ? renderedFrom(snapshot, seed) : renderedAsItRan(past, seed)
  const inactive = inactiveIn(snapshot)
  if (inactive.length === 0) return rendered
  const leaves = (await kindNamed(kind).load?.())?.leaves?.(inactive)
  return leaves === undefined ? rendered : { ...rendered, leaves }
}
