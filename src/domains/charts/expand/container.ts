/** Containers: how one is made, mended, replaced without losing the old one, and removed. */
import { spareOf } from '#domains/containers/live.ts'
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group, Operation } from '#model/plan.ts'
import { nameOf, type Ref } from '#model/ref.ts'
import { missingNetworks, stoppedWords } from '../compare/live.ts'
import { replaceBeside } from './beside.ts'
import { isBesideSafe } from './beside-safe.ts'
import {
  connectOperation,
  gateOf,
  removeOperation,
  renameOperation,
  startOperation,
  timeoutOf,
} from './container-calls.ts'
import { createContainerOperation, newPorts, pullOperation, rehearseOperation } from './create.ts'
import { makeRoom } from './holders.ts'
import { operation, sixFor } from './operation.ts'
import { replaceInPlace } from './in-place.ts'
import { recordedContainer } from './recorded.ts'
import { lostVolumes } from './volume.ts'
import { liveContainer, type LiveContainer } from '../live.ts'
import { subjectOf } from '../look/subject.ts'
import type { ContainerSpec } from '../spec.ts'
import { containerSpecOf } from '../spec-of.ts'

export function expandContainer(expansion: Expansion): Group {
  const { step, wanted, seen } = expansion
  if (step === 'delete' || wanted === undefined) return deleted(expansion)
  const spec = containerSpecOf(wanted.spec)
  if (seen.kind !== 'present') return created(expansion, spec)
  const live = liveContainer(seen.live)
  if (step === 'update') return updated(expansion, spec, live)
  const lost = lostVolumes(expansion)
  if (lost.length > 0) return remade(expansion, spec, lost)
  const isSafe = isBesideSafe(expansion, spec, live)
  return isSafe ? replaceBeside(expansion, spec, live) : replaceInPlace(expansion, spec, live)
}

/** It went with its volume: nothing is left to set aside, or to put back. */
function remade(expansion: Expansion, spec: ContainerSpec, volumes: readonly Ref[]): Group {
  const group = created(expansion, spec)
  const [create, ...rest] = group.make
  return {
    ...group,
    prepare: [...group.prepare, rehearseOperation(expansion, spec, sixFor(expansion))],
    make: [{ ...create!, after: [...create!.after, ...volumes] }, ...rest],
  }
}

function created(expansion: Expansion, spec: ContainerSpec): Group {
  const room = makeRoom(expansion, spec.ports)
  return {
    ...emptyGroup(expansion),
    prepare: [pullOperation(expansion, spec, newPorts(expansion, spec))],
    make: [
      createContainerOperation(expansion, spec, spec.object),
      ...room.make,
      startOperation(spec.object, spec.object, spec),
    ],
    gate: gateOf(spec),
    subject: subjectOf(spec, spec.object),
    undo: [removeOperation('take-back', spec.object, spec.object, 0), ...room.undo],
  }
}

/** Mends what drifted: its name, its networks, its state; and takes away what a killed run left. */
function updated(expansion: Expansion, spec: ContainerSpec, live: LiveContainer): Group {
  const { seen } = expansion
  const spares = seen.kind === 'present' ? seen.spares.map(spareOf) : []
  const previous = spares.find(({ name }) => name.includes('-prev-'))
  const room = makeRoom(expansion, live.state === 'running' ? [] : spec.ports)
  const make: Operation[] = []
  if (live.name !== spec.object)
    make.push(renameOperation('rename', live.id, live.name, spec.object))
  // a paused one would get its network in name only
  if (live.state === 'paused') {
    make.push(
      operation({
        id: 'unpause',
        verb: 'container.unpause',
        payload: { name: live.id },
        words: `Unpausing container ${spec.object}`,
        command: `podman unpause ${spec.object}`,
      }),
    )
  }
  for (const network of missingNetworks(spec, live)) {
    const { aliases } = spec.networks.find((attachment) => attachment.network === network)!
    make.push(connectOperation(network, live.id, spec.object, aliases))
  }
  if (live.state !== 'paused' && stoppedWords(spec, live) !== undefined) {
    make.push(...room.make, startOperation(live.id, spec.object, spec))
  }
  // a kept old one means that this one never proved itself: if it does not, the old one comes back
  const undo =
    previous === undefined || live.name !== spec.object
      ? room.undo
      : [
          removeOperation('take-back', live.id, spec.object, timeoutOf(spec)),
          renameOperation('put-back', previous.id, previous.name, spec.object),
          startOperation(previous.id, spec.object, spec, 'restart-old'),
        ]
  return {
    ...emptyGroup(expansion),
    make,
    gate: gateOf(spec),
    subject: subjectOf(spec, spec.object),
    undo,
    finish: spares.map(({ id, name }, index) =>
      removeOperation(`clear-${index}`, id, name, timeoutOf(spec)),
    ),
  }
}

function deleted(expansion: Expansion): Group {
  const { seen, ref } = expansion
  const group = emptyGroup(expansion)
  if (seen.kind !== 'present') return group
  const live = liveContainer(seen.live)
  const seconds = timeoutOf(recordedContainer(expansion))
  const spares = seen.spares.map(spareOf)
  return {
    ...group,
    finish: [
      removeOperation('remove', live.id, live.name === '' ? nameOf(ref) : live.name, seconds),
      ...spares.map(({ id, name }, index) => removeOperation(`clear-${index}`, id, name, seconds)),
    ],
  }
}
