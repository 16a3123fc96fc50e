/** Replaces a container that can't stand beside its old self: the old one stops, waits, and comes back if need be. */
import { spareOf } from '#domains/containers/live.ts'
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group } from '#model/plan.ts'
import {
  gateOf,
  removeOperation,
  renameOperation,
  startOperation,
  stopOperation,
  timeoutOf,
} from './container-calls.ts'
import { createContainerOperation, pullOperation, rehearseOperation } from './create.ts'
import { makeRoom } from './holders.ts'
import { sixFor } from './operation.ts'
import { type LiveContainer } from '../live.ts'
import { subjectOf } from '../look/subject.ts'
import { nextName, previousName } from './object-names.ts'
import type { ContainerSpec } from '../spec.ts'
import { podOf, recordedContainer } from './recorded.ts'

export function replaceInPlace(
  expansion: Expansion,
  spec: ContainerSpec,
  live: LiveContainer,
): Group {
  const { seen, steps } = expansion
  const six = sixFor(expansion)
  const { object } = spec
  const [next, previous] = [nextName(object, six), previousName(object, six)]
  const old = recordedContainer(expansion) ?? spec
  const room = makeRoom(expansion, spec.ports)
  const spares = seen.kind === 'present' ? seen.spares.map(spareOf) : []
  const clear = spares.map(({ id, name }, index) => removeOperation(`clear-${index}`, id, name, 0))
  // where the pod is replaced too, the old pod starts its members again, once the new one has let go of the ports
  const pod = podOf(expansion)
  const startsItself =
    live.state === 'running' && (pod === undefined || steps.get(pod) !== 'replace')
  return {
    ...emptyGroup(expansion),
    prepare: [pullOperation(expansion, spec), rehearseOperation(expansion, spec, six)],
    make: [
      ...clear,
      createContainerOperation(expansion, spec, next),
      stopOperation('stop-old', live.id, live.name, timeoutOf(old)),
      ...room.make,
      renameOperation('set-aside', live.id, live.name, previous),
      renameOperation('take-place', next, next, object),
      startOperation(object, object, spec),
    ],
    gate: gateOf(spec),
    subject: subjectOf(spec, object),
    undo: [
      removeOperation('take-back-next', next, next, 0),
      {
        ...removeOperation('take-back', object, object, 0),
        payload: { name: object, seconds: 0, unless: live.id },
      },
      renameOperation(
        'put-back',
        live.id,
        previous,
        live.name.includes('-prev-') ? object : live.name,
      ),
      ...room.undo,
      ...(startsItself ? [startOperation(live.id, object, old, 'start-old')] : []),
    ],
    finish: [removeOperation('remove-old', live.id, previous, timeoutOf(old))],
  }
}
