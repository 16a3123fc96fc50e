/** Applications that no declaration speaks of any more. */
import { keyOf } from '#model/application.ts'
import type { Trigger } from '#model/event.ts'
import { forget, hasRun, isBlank, remember, type Board } from './board.ts'
import { lossOf } from './loss.ts'
import type { Shares } from './shares.ts'
import { unitOf } from './unit.ts'

/** What came from a tree is left running when the tree's declaration goes: that tells nothing about each of them. */
export function forsake(board: Board, shares: Shares, trigger: Trigger): void {
  const { apps, discoveries } = board.declarations
  const keys = new Set(apps.map(({ application }) => keyOf(application)))
  const names = new Set(discoveries.map(({ name }) => name))
  const own = [...board.units.values()].filter(({ memo }) => memo.from === '' && !memo.isRemoved)
  const lost = own.filter(({ key }) => !keys.has(key))
  const isWhole = discoveries.every(
    ({ source }) => shares.branchFor(source)?.snapshot !== undefined,
  )
  const counts = { before: own.filter(hasRun).length, lost: lost.filter(hasRun).length }
  const guarded = lossOf({ ...counts, isWhole })
  for (const unit of lost) {
    if (isBlank(unit)) {
      void forget(board, unit.key)
      continue
    }
    if (!unit.isGone) {
      board.parts.log('info', 'no longer declared', { app: unit.key })
      unit.cause = trigger
    }
    unit.isGone = true
    unit.guarded = guarded
    unit.isTouched = true
    unit.post ??= board.postFor(unit.application.kind, unit.memo.target)
  }
  const { leaving = [] } = board.declarations
  const dismissed = new Set(leaving.map(({ application }) => keyOf(application)))
  for (const unit of board.units.values()) {
    const { memo, declared, key } = unit
    if (declared !== undefined) unit.branch = shares.branchFor(declared.source) ?? unit.branch
    if (memo.from === '' || names.has(memo.from) || keys.has(key) || dismissed.has(key)) continue
    unit.isGone = true
    unit.guarded = `the declaration ${memo.from} is gone`
    unit.isTouched = true
  }
}

/** Somebody said of these very ones that they go. */
export async function dismiss(board: Board): Promise<void> {
  for (const { application, target, removes } of board.declarations.leaving ?? []) {
    const key = keyOf(application)
    const memo = { since: board.parts.clock.now(), from: 'leaving', removes, isRemoved: false }
    const unit = board.units.get(key) ?? unitOf(application, board.parts.instance, memo)
    board.units.set(key, unit)
    unit.post ??= board.postFor(application.kind, target)
    unit.fault = undefined
    unit.isGone = true
    unit.guarded = undefined
    if (unit.underWay === 'sync') unit.interruption?.abort()
    if (unit.memo.removes !== removes) await remember(board, unit, { removes })
    unit.isTouched = true
  }
}
