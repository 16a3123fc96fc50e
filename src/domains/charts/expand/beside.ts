/** Replaces a container that may stand beside its old self: the new one proves itself first, then takes over the names. */
import { spareOf } from '#domains/containers/live.ts'
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group } from '#model/plan.ts'
import {
  connectOperation,
  disconnectOperation,
  drainOperation,
  gateOf,
  removeOperation,
  renameOperation,
  startOperation,
  timeoutOf,
  unnameOperation,
} from './container-calls.ts'
import { createContainerOperation, pullOperation } from './create.ts'
import { sixFor } from './operation.ts'
import { recordedContainer } from './recorded.ts'
import { type LiveContainer } from '../live.ts'
import { subjectOf } from '../look/subject.ts'
import { nextName, previousName } from './object-names.ts'
import type { ContainerSpec } from '../spec.ts'

/**
 * A rename changes no name on a network: the real ones come by disconnecting and connecting again. Then the old one loses its
 * names, answers whom it is answering, and goes.
 */
export function replaceBeside(
  expansion: Expansion,
  spec: ContainerSpec,
  live: LiveContainer,
): Group {
  const { seen } = expansion
  const six = sixFor(expansion)
  const { object } = spec
  const [next, previous] = [nextName(object, six), previousName(object, six)]
  const spares = seen.kind === 'present' ? seen.spares.map(spareOf) : []
  const old = recordedContainer(expansion) ?? spec
  return {
    ...emptyGroup(expansion),
    prepare: [pullOperation(expansion, spec)],
    make: [
      ...spares.map(({ id, name }, index) => removeOperation(`clear-${index}`, id, name, 0)),
      createContainerOperation(expansion, spec, next, [next]),
      startOperation(next, next, spec),
    ],
    gate: gateOf(spec),
    subject: subjectOf(spec, next),
    undo: [removeOperation('take-back', next, next, 0)],
    finish: [
      ...spec.networks.flatMap(({ network, aliases }) => [
        disconnectOperation(network, next, next),
        connectOperation(network, next, next, aliases),
      ]),
      renameOperation('set-aside', live.id, live.name, previous),
      renameOperation('take-place', next, next, object),
      ...(old.networks.length === 0
        ? []
        : [
            ...old.networks.map(({ network }) => unnameOperation(network, live.id, previous)),
            drainOperation(live.id, previous, timeoutOf(old)),
          ]),
      removeOperation('remove-old', live.id, previous, timeoutOf(old)),
    ],
  }
}
