/** What a failed run left and others may have put their things into is not removed by itself: only what went well once is. */
import type { Rendered } from '#model/domain.ts'
import type { Ref } from '#model/ref.ts'
import { lastGood } from '#store/past.ts'
import type { Board } from './board.ts'
import { kindFor } from './desired.ts'
import type { Unit } from './unit.ts'

export async function sparing(board: Board, unit: Unit, rendered: Rendered): Promise<Rendered> {
  const kind = kindFor(board, unit)
  if (kind.keepsUnproven === undefined) return rendered
  const proven = await provenOf(board, unit)
  if (proven === undefined) return rendered
  const known = new Set([...proven, ...rendered.resources.map(({ ref }) => ref)])
  return {
    ...rendered,
    leaves: (ref) =>
      rendered.leaves?.(ref) ?? (known.has(ref) ? undefined : kind.keepsUnproven?.(ref)),
  }
}

/** Undefined when it never ran here: whoever looked after it before knew what was to go. */
async function provenOf(board: Board, unit: Unit): Promise<ReadonlySet<Ref> | undefined> {
  const { application, memo } = unit
  if (memo.lastRun === undefined) return undefined
  const at = memo.synced?.at ?? 0
  if (unit.proven?.at === at) return unit.proven.refs
  const past = await lastGood(application, board.parts.store)
  const resources = past?.run.outcome === 'succeeded' ? past.snapshot.resources : []
  const kind = kindFor(board, unit)
  const all = resources.map(({ ref }) => ref)
  const refs = new Set(all.filter((ref) => kind.keepsUnproven?.(ref) !== undefined))
  unit.proven = { at, refs }
  return refs
}
