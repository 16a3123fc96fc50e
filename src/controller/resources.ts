/** Each resource of an application with both answers: sync from a preview, health as the service knows it at this moment. */
import { assess } from '#engine/assess.ts'
import { lookAtHealth } from '#engine/look-at-health.ts'
import type { ResourceStatus } from '#model/service.ts'
import type { Ref } from '#model/ref.ts'
import type { Look } from '#model/domain.ts'
import type { Board } from './board.ts'
import { previewFor } from './check.ts'
import { renderInForce } from './desired.ts'
import type { Unit } from './unit.ts'

/** None where nothing was applied yet. */
export async function resourcesOf(
  board: Board,
  unit: Unit,
  signal: AbortSignal,
): Promise<readonly ResourceStatus[]> {
  const { post, memo, health } = unit
  const rendered = await renderInForce(board, unit)
  if (post === undefined || rendered === undefined) return []
  const { clock } = board.parts
  const { kind, target } = post.connection().ports(unit.owner, unit.declared)
  const seen = await previewFor(board, unit, rendered, signal)
  // what is known live is not looked at a second time: two looks at two moments could contradict each other
  const live: ReadonlyMap<Ref, Look> = health?.each ?? new Map()
  const others = rendered.resources.filter(({ ref }) => !live.has(ref))
  const looks = await lookAtHealth({ resources: others }, seen, { kind, target, clock }, signal)
  const since = memo.answers?.health.since ?? clock.now()
  const { resources } = assess(rendered, seen, new Map([...looks, ...live]), kind)
  return resources.map((one) => ({
    ...one,
    health: one.health && { ...one.health, since: sinceOf(unit, one.ref) ?? since },
  }))
}

/** Of one that ended, since its last end. */
function sinceOf({ post, seen }: Unit, ref: Ref): number | undefined {
  const id = seen?.listed?.find((one) => one.ref === ref)?.id
  return id === undefined ? undefined : post?.book.ends(id).at(-1)?.at
}
