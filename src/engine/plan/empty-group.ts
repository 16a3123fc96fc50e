/** The empty group that every domain starts from. */
import type { Expansion } from '#model/domain.ts'
import type { Group } from '#model/plan.ts'

/** A group without anything to do yet. */
export function emptyGroup(expansion: Expansion): Group {
  const { ref, step, cause, changes, wanted } = expansion
  return {
    ref,
    step,
    cause,
    changes,
    needs: wanted?.needs ?? [],
    prepare: [],
    make: [],
    gate: 'none',
    subject: null,
    undo: [],
    finish: [],
  }
}
