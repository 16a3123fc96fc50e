/** Containers: how one is made, mended, restarted, replaced without losing the old one, and removed. */
import { spareOf } from '#domains/containers/live.ts'
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group, Operation } from '#model/plan.ts'
import type { Ref } from '#model/ref.ts'
import { changesOf } from '../compare/compare.ts'
import { driftOf, extraNetworks, missingNetworks, stoppedWords } from '../compare/drift.ts'
import { liveContainer, type LiveContainer } from '../live.ts'
import { subjectOf } from '../look/subject.ts'
import { isPrevious } from '../object-names.ts'
import { changedSettings, updateBody, type Setting } from '../settings.ts'
import type { ServiceSpec } from '../spec.ts'
import { serviceSpecOf } from '../spec-of.ts'
import { isBesideSafe } from './beside-safe.ts'
import { replaceBeside } from './beside.ts'
import {
  connectOperation,
  disconnectOperation,
  gateOf,
  removeOperation,
  renameOperation,
  startOperations,
  stopOperations,
  timeoutOf,
} from './calls.ts'
import { createOperations, filesOperations, imageOperation } from './create.ts'
import { makeRoom } from './holders.ts'
import { replaceInPlace } from './in-place.ts'
import { operation } from './operation.ts'
import { recordedService } from './recorded.ts'
import { lostVolumes } from './volume-users.ts'

export function expandContainer(expansion: Expansion): Group {
  const { step, wanted, seen } = expansion
  if (step === 'delete' || wanted === undefined) return deleted(expansion)
  const spec = serviceSpecOf(wanted.spec)
  if (seen.kind !== 'present') return created(expansion, spec)
  const live = liveContainer(seen.live)
  if (step === 'update') return updated(expansion, spec, live)
  const lost = lostVolumes(expansion)
  if (lost.length > 0) return remade(expansion, spec, live, lost)
  if (isOnlyRenewed(expansion)) return restarted(expansion, spec, live)
  const isSafe = isBesideSafe(expansion, spec, live)
  return isSafe ? replaceBeside(expansion, spec, live) : replaceInPlace(expansion, spec, live)
}

/** It went with its volume: nothing is left to set aside, or to put back. */
function remade(
  expansion: Expansion,
  spec: ServiceSpec,
  live: LiveContainer,
  volumes: readonly Ref[],
): Group {
  const group = created(expansion, spec)
  const [create, ...rest] = group.make
  const { object } = spec
  return {
    ...group,
    make: [{ ...create!, after: [...create!.after, ...volumes] }, ...rest],
    undo: [
      ...group.undo.map((each) =>
        each.id === 'take-back' ? removeOperation('take-back', object, object, 0, live.id) : each,
      ),
      operation({
        id: 'still-there',
        verb: 'container.still-there',
        payload: { name: live.id, shown: live.name },
        words: `Looking whether container ${live.name} is still there`,
        command: `docker inspect ${live.name}`,
      }),
    ],
  }
}

function created(expansion: Expansion, spec: ServiceSpec): Group {
  const room = makeRoom(expansion, spec)
  const { object } = spec
  return {
    ...emptyGroup(expansion),
    prepare: [imageOperation(expansion, spec)],
    make: [
      ...createOperations(expansion, spec, object),
      ...room.make,
      ...startOperations(object, object, spec),
    ],
    gate: gateOf(spec),
    subject: subjectOf(spec, object),
    undo: [removeOperation('take-back', object, object, 0), ...room.undo],
  }
}

/** As `docker update`, back to what was declared. */
function updateOperation(id: string, spec: ServiceSpec, changed: readonly Setting[]): Operation {
  const fields = changed.map(({ path }) => path).join(', ')
  return operation({
    id: 'update',
    verb: 'container.update',
    payload: { name: id, shown: spec.object, body: updateBody(spec, changed) },
    words: `Setting ${fields} of container ${spec.object} back`,
    command: `docker update ${spec.object}`,
  })
}

/** Mends what drifted: its name, its networks, its state; and takes away what a killed run left. */
function updated(expansion: Expansion, spec: ServiceSpec, live: LiveContainer): Group {
  const { seen } = expansion
  const spares = seen.kind === 'present' ? seen.spares.map(spareOf) : []
  const previous = spares.find(({ name }) => isPrevious(name))
  const isStopped = stoppedWords(spec, live) !== undefined && live.state !== 'paused'
  const room = isStopped ? makeRoom(expansion, spec) : { make: [], undo: [] }
  const make: Operation[] = []
  if (live.name !== spec.object)
    make.push(renameOperation('rename', live.id, live.name, spec.object))
  for (const network of missingNetworks(spec, live)) {
    const attachment = spec.networks.find((each) => each.network === network)
    make.push(connectOperation(network, live.id, spec.object, attachment))
  }
  for (const network of extraNetworks(spec, live)) {
    make.push(disconnectOperation(network, live.id, spec.object))
  }
  const changed = changedSettings(spec, live.settings)
  if (changed.length > 0) make.push(updateOperation(live.id, spec, changed))
  if (live.state === 'paused') make.push(unpauseOperation(live.id, spec.object))
  // whoever made it may have been cut off before its files were in it
  if (live.state === 'created') make.push(...filesOperations(spec, live.id))
  if (isStopped) make.push(...room.make, ...startOperations(live.id, spec.object, spec))
  // a kept old one means that this one never proved itself: if it does not, the old one comes back
  const undo =
    previous === undefined || live.name !== spec.object
      ? room.undo
      : [
          removeOperation('take-back', live.id, spec.object, timeoutOf(spec)),
          renameOperation('put-back', previous.id, previous.name, spec.object),
          ...startOperations(previous.id, spec.object, spec, 'restart-old'),
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

function unpauseOperation(id: string, object: string): Operation {
  return operation({
    id: 'unpause',
    verb: 'container.unpause',
    payload: { name: id },
    words: `Unpausing container ${object}`,
    command: `docker unpause ${object}`,
  })
}

/** It is as it should be; only something that it depends on (`restart: true`) is another one now. */
function isOnlyRenewed({ wanted, seen, vault }: Expansion): boolean {
  if (wanted === undefined || seen.kind !== 'present' || seen.recorded === undefined) return false
  if (changesOf(wanted, seen, vault).length > 0 || seen.spares.length > 0) return false
  const drift = driftOf(wanted, seen)
  return drift.kind === 'same'
}

function restarted(expansion: Expansion, spec: ServiceSpec, live: LiveContainer): Group {
  const restart = operation({
    id: 'restart',
    verb: 'container.restart',
    payload: { name: live.id, seconds: timeoutOf(spec) },
    words: `Restarting container ${spec.object}`,
    command: `docker restart ${spec.object}`,
    disrupts: true,
  })
  const [, ...hooks] = startOperations(live.id, spec.object, spec)
  return {
    ...emptyGroup(expansion),
    make: [restart, ...hooks],
    gate: gateOf(spec),
    subject: subjectOf(spec, spec.object),
  }
}

function deleted(expansion: Expansion): Group {
  const { seen } = expansion
  const group = emptyGroup(expansion)
  if (seen.kind !== 'present') return group
  const live = liveContainer(seen.live)
  const old = recordedService(expansion)
  const spares = seen.spares.map(spareOf)
  const stop = stopOperations('stop', live.id, live.name, old, live.state === 'running')
  return {
    ...group,
    finish: [
      ...(live.state === 'running' ? stop : []),
      removeOperation('remove', live.id, live.name, 0),
      ...spares.map(({ id, name }, index) =>
        removeOperation(`clear-${index}`, id, name, timeoutOf(old)),
      ),
      ...(expansion.allowed?.pruneVolumes === true ? live.anonymous.map(anonymousOperation) : []),
    ],
  }
}

/** Its data goes with the named ones'. */
function anonymousOperation({ volume }: LiveContainer['anonymous'][number]): Operation {
  return operation({
    id: `volume-${volume.slice(0, 12)}`,
    verb: 'volume.remove',
    payload: { name: volume, unlessUsed: true },
    words: `Removing anonymous volume ${volume.slice(0, 12)}`,
    command: `docker volume rm ${volume}`,
  })
}
