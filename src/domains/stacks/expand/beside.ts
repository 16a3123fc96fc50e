/** Replaces a container that may stand beside its old self: the new one proves itself first, then takes over the names. */
import { spareOf } from '#domains/containers/live.ts'
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group } from '#model/plan.ts'
import { type LiveContainer } from '../live.ts'
import { subjectOf } from '../look/subject.ts'
import { nextName, previousName } from '../object-names.ts'
import type { ServiceSpec } from '../spec.ts'
import {
  connectOperation,
  disconnectOperation,
  gateOf,
  removeOperation,
  renameOperation,
  startOperations,
  stopOperations,
} from './calls.ts'
import { createOperations, imageOperation } from './create.ts'
import { sixFor } from './operation.ts'
import { recordedService } from './recorded.ts'

/** A rename changes no name on a network: the real ones come by disconnecting and connecting again. */
export function replaceBeside(expansion: Expansion, spec: ServiceSpec, live: LiveContainer): Group {
  const { seen } = expansion
  const six = sixFor(expansion)
  const { object } = spec
  const [next, previous] = [nextName(object, six), previousName(object, six)]
  const spares = seen.kind === 'present' ? seen.spares.map(spareOf) : []
  const old = recordedService(expansion) ?? spec
  return {
    ...emptyGroup(expansion),
    prepare: [imageOperation(expansion, spec)],
    make: [
      ...spares.map(({ id, name }, index) => removeOperation(`clear-${index}`, id, name, 0)),
      ...createOperations(expansion, spec, next, [next]),
      ...startOperations(next, next, spec),
    ],
    gate: gateOf(spec),
    subject: subjectOf(spec, next),
    undo: [removeOperation('take-back', next, next, 0)],
    finish: [
      ...spec.networks.flatMap((attachment) => [
        disconnectOperation(attachment.network, next, next),
        connectOperation(attachment.network, next, next, attachment),
      ]),
      renameOperation('set-aside', live.id, live.name, previous),
      renameOperation('take-place', next, next, object),
      ...stopOperations('stop-old', live.id, previous, old, true),
      removeOperation('remove-old', live.id, previous, 0),
    ],
  }
}
