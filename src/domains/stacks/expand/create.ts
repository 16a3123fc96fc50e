/** What comes before and with the making of a container: its image, the container, the files in it. */
import type { Expansion } from '#model/domain.ts'
import type { Operation } from '#model/plan.ts'
import { identityLabels, serviceLabels } from '../labels.ts'
import { liveContainer } from '../live-state.ts'
import type { ServiceSpec } from '../spec.ts'
import { createCommand } from './command.ts'
import { fillOperations } from './contents.ts'
import { newPorts } from './new-ports.ts'
import { fieldsOf, operation, recordedSpecOf } from './operation.ts'

/** Host ports that are new must be free now, so that one that is taken shows itself before anything is made. */
export function imageOperation(expansion: Expansion, spec: ServiceSpec): Operation {
  const { image, pullPolicy: policy, build, service, about } = spec
  const { platform } = service
  const ports = newPorts(expansion, spec)
  const pinned = expansion.wanted?.pinned
  return operation({
    id: 'image',
    verb: 'image.get',
    payload: {
      image,
      policy,
      ...(build === undefined || pinned !== undefined
        ? {}
        : {
            build,
            owner: expansion.identity.owner,
            usual: { project: about.project, image: `${about.project}-${about.service}` },
          }),
      ...(pinned === undefined ? {} : { pinned }),
      ...(typeof platform === 'string' ? { platform } : {}),
      ...(ports.length === 0 ? {} : { ports }),
    },
    words:
      build === undefined || pinned !== undefined
        ? `Making sure of image ${image}`
        : `Building image ${image}`,
    command:
      pinned !== undefined
        ? `docker pull ${pinned.digest ?? pinned.id}`
        : build === undefined
          ? `docker pull ${image}`
          : `docker build -t ${image} ${build.context}`,
  })
}

/**
 * `aliases`: the only names on all its networks, instead of those it is to have in the end. Volumes that have no name of the
 * user's go over to the new one: their data is worth as much.
 */
export function createOperations(
  expansion: Expansion,
  spec: ServiceSpec,
  name: string,
  aliases?: readonly string[],
): readonly Operation[] {
  const { identity, ref, wanted, seen } = expansion
  const inherits = seen.kind === 'present' ? liveContainer(seen.live).anonymous : []
  // where an earlier run is applied again, the image is the one that it used
  const made = wanted?.pinned === undefined ? spec : { ...spec, image: wanted.pinned.id }
  const create = operation({
    id: 'create',
    verb: 'container.create',
    payload: {
      name,
      spec: made,
      record: recordedSpecOf(expansion),
      labels: {
        ...fieldsOf(spec.service.labels),
        ...serviceLabels(spec.about),
        ...identityLabels(identity, ref, wanted?.needs ?? []),
      },
      ...(inherits.length === 0 ? {} : { inherits }),
      ...(aliases === undefined ? {} : { aliases }),
    },
    words: `Creating container ${name}`,
    command: createCommand(name, made),
  })
  return [...fillOperations(spec), create, ...filesOperations(spec, name)]
}

export function filesOperations(spec: ServiceSpec, name: string): readonly Operation[] {
  const files = spec.files.filter(({ path }) => path === undefined)
  if (files.length === 0) return []
  const targets = files.map(({ target }) => target)
  return [
    operation({
      id: 'files',
      verb: 'container.files',
      payload: { name, files },
      words: `Putting ${targets.join(', ')} into container ${name}`,
      command: targets.map((target) => `docker cp … ${name}:${target}`).join(' && '),
    }),
  ]
}
