/** What the records of this application say of its resources as they run now. */
import { recordedSpec } from '#domains/containers/expand/recorded.ts'
import type { Expansion } from '#model/domain.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { ContainerSpec } from '../spec.ts'
import { isContainerSpec } from '../spec-of.ts'

/** The spec that the running container was made from. */
export function recordedContainer(expansion: Expansion, ref?: Ref): ContainerSpec | undefined {
  return recordedSpec(expansion, isContainerSpec, ref)
}

/** The pod that a container is to be in. */
export function podOf({ wanted }: Expansion): Ref | undefined {
  return wanted?.needs.find(({ ref }) => kindOf(ref) === 'pod')?.ref
}
