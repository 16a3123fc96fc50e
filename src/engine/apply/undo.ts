/** Undoes every group that was begun, the last one first. One that can't be undone does not keep the others from being undone. */
import { factsOf, problemOf } from '#model/problem.ts'
import { runOperation } from './run-operation.ts'
import type { Standing } from './progress.ts'
import type { ApplyContext } from './apply-context.ts'

/** Gives whether everything is as it was before the run. What could not be undone is told in events. */
export async function undo(
  context: ApplyContext,
  standings: readonly Standing[],
): Promise<boolean> {
  let isBack = true
  for (const standing of standings.toReversed()) {
    if (!(await undoOne(context, standing))) isBack = false
  }
  return isBack
}

async function undoOne(context: ApplyContext, standing: Standing): Promise<boolean> {
  const { ref, step, undo: operations } = standing.group
  let isBack = true
  for (const operation of operations) {
    try {
      await runOperation(context, standing, operation, 'undo')
    } catch (thrown) {
      isBack = false
      context.emit({ type: 'problem', problem: factsOf(problemOf(thrown, ref)) })
    }
  }
  if (!isBack) return false
  if (standing.phase !== 'failed' && standing.phase !== 'skipped') standing.phase = 'undone'
  const { disruptedAt } = standing
  const gap = disruptedAt === undefined ? {} : { gap: context.clock.now() - disruptedAt }
  context.emit({ type: 'group', ref, step, phase: 'undone', ...gap })
  return true
}
