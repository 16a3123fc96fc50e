/** Replaces a container that can't stand beside its old self: the old one stops, waits, and comes back if need be. */
import { spareOf } from '#domains/containers/live.ts'
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group } from '#model/plan.ts'
import { type LiveContainer } from '../live.ts'
import { subjectOf } from '../look/subject.ts'
import { isPrevious, nextName, previousName } from '../object-names.ts'
import type { ServiceSpec } from '../spec.ts'
import {
  gateOf,
  removeOperation,
  renameOperation,
  startOperations,
  stopOperations,
  timeoutOf,
} from './calls.ts'
import { createOperations, imageOperation } from './create.ts'
import { makeRoom } from './holders.ts'
import { sixFor } from './operation.ts'
import { followersOf, recordedService } from './recorded.ts'

export function replaceInPlace(
  expansion: Expansion,
  spec: ServiceSpec,
  live: LiveContainer,
): Group {
  const { seen, steps } = expansion
  const six = sixFor(expansion)
  const { object } = spec
  const [next, previous] = [nextName(object, six), previousName(object, six)]
  const old = recordedService(expansion) ?? spec
  const isRunning = live.state === 'running'
  const room = makeRoom(expansion, spec)
  const spares = seen.kind === 'present' ? seen.spares.map(spareOf) : []
  // some engines keep one as long as another lives in its namespaces
  const after = followersOf(expansion).filter((other) => steps.get(other) === 'replace')
  const putBack = isPrevious(live.name) ? object : live.name
  return {
    ...emptyGroup(expansion),
    prepare: [imageOperation(expansion, spec)],
    make: [
      ...spares.map(({ id, name }, index) => removeOperation(`clear-${index}`, id, name, 0)),
      ...createOperations(expansion, spec, next),
      ...stopOperations('stop-old', live.id, live.name, old, isRunning),
      ...room.make,
      renameOperation('set-aside', live.id, live.name, previous),
      renameOperation('take-place', next, next, object),
      ...startOperations(object, object, spec),
    ],
    gate: gateOf(spec),
    subject: subjectOf(spec, object),
    undo: [
      removeOperation('take-back-next', next, next, 0),
      removeOperation('take-back', object, object, 0, live.id),
      renameOperation('put-back', live.id, previous, putBack),
      ...room.undo,
      ...(isRunning ? startOperations(live.id, object, old, 'start-old') : []),
    ],
    finish: [{ ...removeOperation('remove-old', live.id, previous, timeoutOf(old)), after }],
  }
}
