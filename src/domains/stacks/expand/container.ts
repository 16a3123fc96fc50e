/** What the containers of a stack have of their own: hooks, files, limits that are set back, and restarts with what they depend on. */
import { expandContainer as expandAny } from '#domains/containers/expand/container.ts'
import type { ContainerRecipe, Room } from '#domains/containers/expand/recipe.ts'
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group, Operation } from '#model/plan.ts'
import { changesOf } from '../compare/compare.ts'
import { driftOf, extraNetworks, missingNetworks, stoppedWords } from '../compare/drift.ts'
import { liveContainer, type LiveContainer } from '../live-state.ts'
import { subjectOf } from '../look/subject.ts'
import { changedSettings, updateBody, type Setting } from '../settings.ts'
import type { ServiceSpec } from '../spec.ts'
import { serviceSpecOf, type RecordedService } from '../spec-of.ts'
import { isBesideSafe } from './start-first-safe.ts'
import {
  calls,
  connectOperation,
  gateOf,
  startOperations,
  stopOperations,
  timeoutOf,
} from './calls.ts'
import { contentSteps } from './contents.ts'
import { createOperations, filesOperations, imageOperation } from './create.ts'
import { makeRoom } from './port-owners.ts'
import { operation, shortHashOf } from './operation.ts'
import { followersOf, recordedService } from './recorded.ts'
import { lostVolumes } from './volume-users.ts'

const recipe: ContainerRecipe<ServiceSpec, RecordedService, LiveContainer> = {
  calls,
  specOf: serviceSpecOf,
  liveOf: liveContainer,
  recorded: recordedService,
  gateOf,
  subjectOf,
  timeoutOf,
  shortHashOf,
  prepare: (expansion, spec) => [imageOperation(expansion, spec)],
  create: createOperations,
  start: startOperations,
  stop: (id, live, shown, old) => stopOperations(id, live.id, shown, old, live.state === 'running'),
  connect: (attachment, container) =>
    connectOperation(attachment.network, container, container, attachment),
  makeRoom,
  mend,
  isStartFirst: isBesideSafe,
  lostVolumes,
  remade,
  restarted: (expansion, spec, live) =>
    isOnlyRenewed(expansion) ? restarted(expansion, spec, live) : undefined,
  retire: ({ id }, shown, old) => [
    ...stopOperations('stop-old', id, shown, old, true),
    calls.remove('remove-old', id, shown, 0),
  ],
  startsAgain: (_, { state }) => state === 'running',
  // some engines keep one as long as another lives in its namespaces
  followers: (expansion) =>
    followersOf(expansion).filter((other) => expansion.steps.get(other) === 'replace'),
  end: ({ id, state }, shown, old) => [
    ...(state === 'running' ? stopOperations('stop', id, shown, old, true) : []),
    calls.remove('remove', id, shown, 0),
  ],
  leftovers: ({ allowed }, { anonymous }) =>
    allowed?.pruneVolumes === true ? anonymous.map(anonymousOperation) : [],
}

export function expandContainer(expansion: Expansion): Group {
  return expandAny(recipe, expansion)
}

/** On the way back it shows whether the old one is still there. */
function remade(
  group: Group,
  _: Expansion,
  { object }: ServiceSpec,
  { id, name }: LiveContainer,
): Group {
  return {
    ...group,
    undo: [
      ...group.undo.map((each) =>
        each.id === 'take-back' ? calls.remove('take-back', object, object, 0, id) : each,
      ),
      operation({
        id: 'still-there',
        verb: 'container.still-there',
        payload: { name: id, shown: name },
        words: `Looking whether container ${name} is still there`,
        command: `docker inspect ${name}`,
      }),
    ],
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

function mend(expansion: Expansion, spec: ServiceSpec, live: LiveContainer): Room {
  const isStopped = stoppedWords(spec, live) !== undefined && live.state !== 'paused'
  const room = isStopped ? makeRoom(expansion, spec) : { make: [], undo: [] }
  const make: Operation[] = []
  if (live.name !== spec.object) make.push(calls.rename('rename', live.id, live.name, spec.object))
  for (const network of missingNetworks(spec, live)) {
    const attachment = spec.networks.find((each) => each.network === network)
    make.push(connectOperation(network, live.id, spec.object, attachment))
  }
  for (const network of extraNetworks(spec, live)) {
    make.push(calls.disconnect(network, live.id, spec.object))
  }
  const changed = changedSettings(spec, live.settings)
  if (changed.length > 0) make.push(updateOperation(live.id, spec, changed))
  if (live.state === 'paused') make.push(calls.unpause(live.id, spec.object))
  // whoever made it may have been cut off before its files were in it
  if (live.state === 'created') make.push(...filesOperations(spec, live.id))
  const contents = contentSteps(expansion, spec, live, isStopped)
  make.push(...contents.make)
  if (isStopped) make.push(...room.make, ...startOperations(live.id, spec.object, spec))
  return { make, undo: [...contents.undo, ...room.undo] }
}

/** The container is as declared; only something that it depends on with `restart: true` was replaced. */
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
    subject: subjectOf(spec, live.id),
  }
}

/** The data of anonymous volumes is removed together with that of named ones. */
function anonymousOperation({ volume }: LiveContainer['anonymous'][number]): Operation {
  return operation({
    id: `volume-${volume.slice(0, 12)}`,
    verb: 'volume.remove',
    payload: { name: volume, unlessUsed: true },
    words: `Removing anonymous volume ${volume.slice(0, 12)}`,
    command: `docker volume rm ${volume}`,
  })
}
