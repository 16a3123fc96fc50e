/** What the containers of a chart have of their own: rehearsals, pods, and old ones that answer before they go. */
import { expandContainer as expandAny } from '#domains/containers/expand/container.ts'
import type { ContainerRecipe, Room } from '#domains/containers/expand/recipe.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group, Operation } from '#model/plan.ts'
import { missingNetworks, stoppedWords } from '../compare/drift.ts'
import { isBesideSafe } from './start-first-safe.ts'
import { calls, connectOperation, gateOf, startOperation, timeoutOf } from './container-calls.ts'
import { createContainerOperation, newPorts, pullOperation, rehearseOperation } from './create.ts'
import { makeRoom } from './port-owners.ts'
import { shortHashOf } from './operation.ts'
import { podOf, recordedContainer } from './recorded.ts'
import { lostVolumes } from './volume.ts'
import { liveContainer, type LiveContainer } from '../live-state.ts'
import { subjectOf } from '../look/subject.ts'
import type { ContainerSpec } from '../spec.ts'
import { containerSpecOf } from '../spec-of.ts'
import { defined } from '#model/defined.ts'

const recipe: ContainerRecipe<ContainerSpec, ContainerSpec, LiveContainer> = {
  calls,
  specOf: containerSpecOf,
  liveOf: liveContainer,
  recorded: recordedContainer,
  gateOf,
  subjectOf,
  timeoutOf,
  shortHashOf,
  prepare(expansion, spec, occasion) {
    if (occasion === 'create') return [pullOperation(expansion, spec, newPorts(expansion, spec))]
    const pull = pullOperation(expansion, spec)
    return occasion === 'start-first'
      ? [pull]
      : [pull, rehearseOperation(expansion, spec, shortHashOf(expansion))]
  },
  create: (expansion, spec, name, aliases) => [
    createContainerOperation(expansion, spec, name, aliases),
  ],
  start: (name, shown, spec, id) => [startOperation(name, shown, spec, id)],
  stop: (id, live, shown, old) => [calls.stop(id, live.id, shown, timeoutOf(old))],
  connect: ({ network, aliases }, container) =>
    connectOperation(network, container, container, aliases),
  makeRoom: (expansion, { ports }) => makeRoom(expansion, ports),
  mend,
  isStartFirst: isBesideSafe,
  lostVolumes,
  remade: (group, expansion, spec) => ({
    ...group,
    prepare: [...group.prepare, rehearseOperation(expansion, spec, shortHashOf(expansion))],
  }),
  retire: ({ id }, shown, old) => [calls.remove('remove-old', id, shown, timeoutOf(old))],
  // where the pod is replaced too, the old pod starts its members again, once the new one has let go of the ports
  startsAgain(expansion, { state }) {
    const pod = podOf(expansion)
    return state === 'running' && (pod === undefined || expansion.steps.get(pod) !== 'replace')
  },
  end: ({ id }, shown, old) => [calls.remove('remove', id, shown, timeoutOf(old))],
}

export function expandContainer(expansion: Expansion): Group {
  return expandAny(recipe, expansion)
}

function mend(expansion: Expansion, spec: ContainerSpec, live: LiveContainer): Room {
  const room = makeRoom(expansion, live.state === 'running' ? [] : spec.ports)
  const make: Operation[] = []
  if (live.name !== spec.object) make.push(calls.rename('rename', live.id, live.name, spec.object))
  // a paused one would get its network in name only
  if (live.state === 'paused') make.push(calls.unpause(live.id, spec.object))
  for (const network of missingNetworks(spec, live)) {
    const { aliases } = defined(spec.networks.find((attachment) => attachment.network === network))
    make.push(connectOperation(network, live.id, spec.object, aliases))
  }
  if (live.state !== 'paused' && stoppedWords(spec, live) !== undefined) {
    make.push(...room.make, startOperation(live.id, spec.object, spec))
  }
  return { make, undo: room.undo }
}
