/** What a killed run left beside a container. */
import type { Expansion } from '#model/domain.ts'
import type { Operation } from '#model/plan.ts'
import { spareOf, type Spare } from '../live-state.ts'
import type { Calls } from './calls.ts'

export function sparesOf({ seen }: Expansion): readonly Spare[] {
  return seen.kind === 'present' ? seen.spares.map(spareOf) : []
}

/** What a killed run left goes. */
export function clearOperations(
  { remove }: Calls,
  spares: readonly Spare[],
  seconds: number,
): readonly Operation[] {
  return spares.map(({ id, name }, index) => remove(`clear-${index}`, id, name, seconds))
}
