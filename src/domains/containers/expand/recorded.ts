/** What the records of an application say of its resources as they run now. */
import type { Expansion } from '#model/domain.ts'
import type { Operation } from '#model/plan.ts'
import type { Ref } from '#model/ref.ts'
import type { Json } from '#model/json.ts'
import type { Present } from '#model/resource.ts'
import { spareOf } from '../live-state.ts'
import type { Calls } from './calls.ts'

/** The spec that a resource was made from, where it can be read. */
export function recordedSpec<Spec>(
  expansion: Expansion,
  isSpec: (spec: Json) => spec is Spec & Json,
  ref: Ref = expansion.ref,
): Spec | undefined {
  const seen = ref === expansion.ref ? expansion.seen : expansion.world.get(ref)
  const spec = seen?.kind === 'present' ? seen.recorded?.spec : undefined
  return spec !== undefined && isSpec(spec) ? spec : undefined
}

/** A container and what a killed run left of it, taken away so that a volume can be made anew. */
export function removeUser(
  { remove }: Calls,
  live: { readonly id: string; readonly name: string },
  { spares }: Present,
  seconds: number,
): readonly Operation[] {
  return [live, ...spares.map(spareOf)].map(({ id, name }) => ({
    ...remove(`remove-${id.slice(0, 12)}`, id, name, seconds),
    disrupts: true,
  }))
}
