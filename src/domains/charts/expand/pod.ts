/** Pods: they can't be renamed, so a new one stands beside the old under another name; members follow. */
import { spareOf } from '#domains/containers/live-state.ts'
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group, Operation } from '#model/plan.ts'
import { addToList, indexedOnce } from '#model/observation-index.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import { connectOperation } from './container-calls.ts'
import { makeRoom } from './port-owners.ts'
import { labelsFor, operation, recordedSpecOf, shortHashOf } from './operation.ts'
import { portText } from './create-command.ts'
import { isDown, liveContainer, livePod, type LivePod } from '../live-state.ts'
import type { PodSpec } from '../spec.ts'
import { fieldsOf, podSpecOf } from '../spec-of.ts'

export function expandPod(expansion: Expansion): Group {
  const { step, wanted, seen } = expansion
  const group = emptyGroup(expansion)
  const live = seen.kind === 'present' ? livePod(seen.live) : undefined
  const spares = seen.kind === 'present' ? seen.spares.map(spareOf) : []
  const clear = spares.map(({ name, id }) => removeOperation('clear', name, id))
  if (step === 'delete' || wanted === undefined) {
    return live === undefined
      ? group
      : { ...group, finish: [removeOperation('remove', live.name, live.id), ...clear] }
  }
  const spec = podSpecOf(wanted.spec)
  if (live === undefined) {
    const room = makeRoom(expansion, spec.ports)
    return {
      ...group,
      make: [...room.make, withFreePorts(createOperation(expansion, spec, spec.object), spec)],
      undo: [removeOperation('take-back', spec.object), ...room.undo],
    }
  }
  if (step === 'update') return { ...group, make: mending(spec, live), finish: clear }
  const taken = [live.name, ...spares.map(({ name }) => name)]
  const name = taken.includes(spec.object)
    ? `${spec.object}-${shortHashOf(expansion, taken)}`
    : spec.object
  const members = membersOf(expansion, live.name)
  return {
    ...group,
    make: [...clear, createOperation(expansion, spec, name), stopOperation(live)],
    undo: [
      removeOperation('take-back', name),
      ...[live.infraId, ...live.running].map((id) => startOperation(id, live.name)),
    ],
    finish: [{ ...removeOperation('remove-old', live.name, live.id), after: members }],
  }
}

/** A pod starts with its first member: that one of its ports is taken must be found before that. */
function withFreePorts(create: Operation, spec: PodSpec): Operation {
  const ports = spec.ports.filter(({ hostPort }) => hostPort !== 0)
  return { ...create, payload: { ...fieldsOf(create.payload), ports } }
}

function mending(spec: PodSpec, live: LivePod): readonly Operation[] {
  const missing = spec.networks.filter(({ network }) => !live.networks.includes(network))
  return [
    ...missing.map(({ network, aliases }) =>
      connectOperation(network, live.infraId, live.name, aliases),
    ),
    ...(isDown(live.infraState) ? [startOperation(live.infraId, live.name)] : []),
  ]
}

/** Those of its members that go, too: each removes itself first. */
function membersOf({ world, steps }: Expansion, pod: string): readonly Ref[] {
  return (membersByPod(world).get(pod) ?? []).filter((ref) => steps.has(ref))
}

const membersByPod = indexedOnce((world) => {
  const index = new Map<string, Ref[]>()
  for (const [ref, seen] of world) {
    if (kindOf(ref) !== 'container' || seen.kind !== 'present') continue
    addToList(index, liveContainer(seen.live).pod, ref)
  }
  return index
})

function createOperation(expansion: Expansion, spec: PodSpec, name: string): Operation {
  const networks = spec.networks.map(({ network }) => ` --network ${network}`)
  const ports = spec.ports.map((port) => ` -p ${portText(port)}`)
  return operation({
    id: 'create',
    verb: 'pod.create',
    payload: { name, spec, record: recordedSpecOf(expansion), labels: labelsFor(expansion) },
    words: `Creating pod ${name}`,
    command: `podman pod create --name ${name}${networks.join('')}${ports.join('')}`,
  })
}

function stopOperation({ name, id }: LivePod): Operation {
  return operation({
    id: 'stop-old',
    verb: 'pod.stop',
    payload: { name, id },
    words: `Stopping pod ${name}`,
    command: `podman pod stop ${name}`,
    disrupts: true,
  })
}

function startOperation(id: string, pod: string): Operation {
  return operation({
    id: `start-${id.slice(0, 12)}`,
    verb: 'container.start',
    payload: { name: id, ports: [] },
    words: `Starting container ${id.slice(0, 12)} of pod ${pod}`,
    command: `podman start ${id.slice(0, 12)}`,
  })
}

/** `podId`: of the pod that was seen. */
function removeOperation(id: string, name: string, podId?: string): Operation {
  return operation({
    id: `${id}-${name}`,
    verb: 'pod.remove',
    payload: { name, ...(podId === undefined ? {} : { id: podId }) },
    words: `Removing pod ${name}`,
    command: `podman pod rm -f ${name}`,
  })
}
