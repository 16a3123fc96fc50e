/** What comes before and with the making of a container: its image, a try without touching anything, the container itself. */
import type { Expansion } from '#model/domain.ts'
import { isList } from '#model/json.ts'
import type { Operation } from '#model/plan.ts'
import { indexedOnce } from '#model/observation-index.ts'
import { kindOf } from '#model/ref.ts'
import { leavesOf, isLater, type Value } from '#model/value.ts'
import { labelsFor, operation, recordedSpecOf } from './operation.ts'
import { createCommand } from './create-command.ts'
import { rehearsalName } from './object-names.ts'
import type { ContainerSpec, PortSpec } from '../spec.ts'
import { fieldsOf } from '../spec-of.ts'

/** `ports`: those that must be free now, so that one that is taken shows itself before anything is made. */
export function pullOperation(
  { wanted }: Expansion,
  spec: ContainerSpec,
  ports: readonly PortSpec[] = [],
): Operation {
  const { image, imagePullPolicy: policy } = spec
  const pinned = wanted?.pinned
  return operation({
    id: 'pull',
    verb: 'image.pull',
    payload: {
      image,
      policy,
      ...(ports.length === 0 ? {} : { ports }),
      ...(pinned === undefined ? {} : { pinned }),
    },
    words: `Making sure of image ${image}`,
    command:
      pinned === undefined
        ? `podman pull --policy ${policy} ${image}`
        : `podman pull --policy missing ${pinned.digest ?? pinned.id}`,
  })
}

/** What a container is made from: the image that an earlier run used, where that is applied again. */
function withPinned(spec: ContainerSpec, { wanted }: Expansion): ContainerSpec {
  return wanted?.pinned === undefined ? spec : { ...spec, image: wanted.pinned.id }
}

/** `aliases`: the only names on all its networks, instead of those it is to have in the end. */
export function createContainerOperation(
  expansion: Expansion,
  spec: ContainerSpec,
  name: string,
  aliases?: readonly string[],
): Operation {
  return operation({
    id: 'create',
    verb: 'container.create',
    payload: {
      name,
      spec: withPinned(spec, expansion),
      record: recordedSpecOf(expansion),
      labels: labelsFor(expansion),
      ...(aliases === undefined ? {} : { aliases }),
    },
    words: `Creating container ${name}`,
    command: createCommand(name, withPinned(spec, expansion)),
  })
}

/**
 * Made without network and ports, initialised, removed: a missing command or mount shows itself while the old one still
 * serves. It waits for secrets and volumes that this run makes, but never for what itself waits for all preparations.
 */
export function rehearseOperation(
  expansion: Expansion,
  spec: ContainerSpec,
  shortHash: string,
): Operation {
  const { steps, ref } = expansion
  const sources = leavesOf(spec).flatMap((leaf) => (isLater(leaf) ? leaf.from : []))
  const secrets = sources.filter((from) => kindOf(from) === 'secret' && steps.has(from))
  const needs = expansion.wanted?.needs.map((need) => need.ref) ?? []
  const volumes = needs.filter((need) => kindOf(need) === 'volume' && steps.get(need) === 'create')
  const { pod: _, ...alone } = withPinned(spec, expansion)
  return operation({
    id: 'rehearse',
    verb: 'container.rehearse',
    payload: {
      name: rehearsalName(spec.object, shortHash),
      spec: alone,
      record: { rehearses: ref },
      labels: labelsFor(expansion),
      ports: newPorts(expansion, spec),
    },
    after: [...new Set([...secrets, ...volumes])],
    words: `Trying out container ${spec.object}`,
    command: `podman create --network none ${alone.image} && podman init && podman rm`,
  })
}

/** Host ports that nobody of this application holds yet: whether they are free can be known before anything is stopped. */
export function newPorts({ world }: Expansion, { ports }: ContainerSpec): readonly PortSpec[] {
  return ports.filter(
    ({ hostPort, protocol }) => hostPort !== 0 && !heldPorts(world).has(`${hostPort}/${protocol}`),
  )
}

const heldPorts = indexedOnce((world) => {
  const held = new Set<string>()
  for (const seen of world.values()) {
    if (seen.kind !== 'present' || seen.recorded === undefined) continue
    const { ports } = fieldsOf(seen.recorded.spec)
    for (const port of isList<Value>(ports) ? ports : []) {
      const { hostPort, protocol } = fieldsOf(port)
      if (typeof hostPort === 'number' && typeof protocol === 'string') {
        held.add(`${hostPort}/${protocol}`)
      }
    }
  }
  return held
})
