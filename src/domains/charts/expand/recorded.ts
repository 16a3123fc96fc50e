/** What the records of this application say of its resources as they run now. */
import type { Expansion } from '#model/domain.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { ContainerSpec } from '../spec.ts'
import { isContainerSpec } from '../spec-of.ts'

/** The spec that the running container was made from. */
export function recordedContainer(
  expansion: Expansion,
  ref: Ref = expansion.ref,
): ContainerSpec | undefined {
  const seen = ref === expansion.ref ? expansion.seen : expansion.world.get(ref)
  const spec = seen?.kind === 'present' ? seen.recorded?.spec : undefined
  return spec !== undefined && isContainerSpec(spec) ? spec : undefined
}

/** The pod that a container is to be in. */
export function podOf({ wanted }: Expansion): Ref | undefined {
  return wanted?.needs.find(({ ref }) => kindOf(ref) === 'pod')?.ref
}
