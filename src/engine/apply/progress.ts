/** Where each group of a running plan stands; the only mutable thing in apply. */
import type { Outputs } from '#model/domain.ts'
import type { Group } from '#model/plan.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'

export type Standing = {
  readonly group: Group
  phase: 'pending' | 'begun' | 'passed' | 'failed' | 'skipped' | 'undone' | 'done'
  problem: ProblemFacts | undefined
  beganAt: number
  /** When the first call began that takes something away. */
  disruptedAt: number | undefined
  /** Whether an operation of `make` was begun, so that there is something to undo. */
  hasMade: boolean
  outputs: Outputs
}

export type Progress = {
  readonly standings: ReadonlyMap<Ref, Standing>
  /** The groups in the order in which they began: they are undone last first. */
  readonly begun: Standing[]
  readonly failed: Standing[]
  /** Problems of resources that the run left alone, that had to be healthy and are not. */
  readonly unwell: ProblemFacts[]
  /** Something was not waited for, because something newer is to be applied. */
  isSuperseded: boolean
}

export function progressOf(groups: readonly Group[]): Progress {
  const standings = new Map<Ref, Standing>()
  for (const group of groups) {
    standings.set(group.ref, {
      group,
      phase: 'pending',
      problem: undefined,
      beganAt: 0,
      disruptedAt: undefined,
      hasMade: false,
      outputs: {},
    })
  }
  return { standings, begun: [], failed: [], unwell: [], isSuperseded: false }
}
