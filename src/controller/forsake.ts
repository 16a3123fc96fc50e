/** Applications that no declaration speaks of any more. */
import { keyOf } from '#model/application.ts'
import type { Board } from './board.ts'
import { lossOf } from './loss.ts'
import type { Shares } from './shares.ts'

/** What came from a tree is left running when the tree's declaration goes: that tells nothing about each of them. */
export function forsake(board: Board, shares: Shares): void {
  const { apps, discoveries } = board.declarations
  const keys = new Set(apps.map(({ application }) => keyOf(application)))
  const names = new Set(discoveries.map(({ name }) => name))
  const own = [...board.units.values()].filter(({ memo }) => memo.from === '' && !memo.isRemoved)
  const lost = own.filter(({ key }) => !keys.has(key))
  const isWhole = discoveries.every(
    ({ source }) => shares.branchFor(source)?.snapshot !== undefined,
  )
  const guarded = lossOf({ before: own.length, lost: lost.length, isWhole })
  for (const unit of lost) {
    unit.isGone = true
    unit.guarded = guarded
    unit.isTouched = true
    unit.post ??= board.postFor(unit.application.kind, unit.memo.target)
  }
  for (const unit of board.units.values()) {
    const { memo, declared } = unit
    if (declared !== undefined) unit.branch = shares.branchFor(declared.source) ?? unit.branch
    if (memo.from === '' || names.has(memo.from)) continue
    unit.isGone = true
    unit.guarded = `the declaration ${memo.from} is gone`
    unit.isTouched = true
  }
}
