/** Services: one resource for each replica. */
import type { Service } from '#formats/compose/schema/file.ts'
import { refOf } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import type { Joined, ServiceSpec } from '../spec.ts'
import { buildOf } from './build.ts'
import { dependsOnLabel, needsOf, type Replicas } from './dependencies.ts'
import { filesOf } from './files.ts'
import { attachmentsOf } from './attachments.ts'
import { joinedOf, joinsOf, volumesFromOf } from './joins.ts'
import { contentsOf, mountsOf } from './mounts.ts'
import { fillsOf, onChangeOf } from './on-change.ts'
import { countOf } from './replicas.ts'
import { byName, filled, placeAt, servicesOf, type Stage } from './stage.ts'
import { wordsOf } from './service-as-written.ts'
import { defined } from '#model/defined.ts'

export function serviceResources(stage: Stage): readonly Resource[] {
  const services = servicesOf(stage)
  const replicas: Replicas = new Map(
    services.map(([name, service]) => [name, countOf(stage, name, service)]),
  )
  return services.flatMap(([name, service]) => {
    const shared = sharedOf(stage, name, service, replicas)
    const joined = joinedOf(stage, name, service, replicas)
    const needs = needsOf(stage, name, service, replicas)
    return Array.from({ length: defined(replicas.get(name)) }, (_, index) => ({
      ref: refOf('container', `${name}-${index + 1}`),
      spec: numbered(stage, name, service, { shared, joined }, index + 1),
      needs,
      origin: placeAt(stage, ['services', name]),
      problems: [],
    }))
  })
}

type Shared = Omit<ServiceSpec, 'object' | 'networks' | 'about'>

function sharedOf(stage: Stage, name: string, service: Service, replicas: Replicas): Shared {
  const build = buildOf(stage, service)
  const mounts = mountsOf(stage, name, service)
  const joins = joinsOf(service, replicas)
  const awaited = awaitedOf(stage, name)
  const order = orderOf(service)
  const onChange = onChangeOf(stage, name, service)
  const fills = fillsOf(stage, name, service)
  return {
    image: service.image || `${stage.project}-${name}`,
    pullPolicy: service.pull_policy || 'missing',
    ...(order === undefined ? {} : { updateOrder: order }),
    ...(build === undefined ? {} : { build }),
    service: wordsOf(stage, name, service),
    mounts,
    files: filesOf(stage, name, service),
    contents: contentsOf(stage, name, service),
    ...filled({ onChange, fills }),
    joins,
    volumesFrom: volumesFromOf(service, replicas),
    ...(awaited === undefined ? {} : { awaited }),
  }
}

function numbered(
  stage: Stage,
  name: string,
  service: Service,
  { shared, joined }: { readonly shared: Shared; readonly joined: Joined | undefined },
  number: number,
): ServiceSpec {
  const { project, loaded, input, composeVersion } = stage
  const [configHash = '', ...otherHashes] = stage.hashes(name)
  const object = service.container_name || `${project}-${name}-${number}`
  return {
    object,
    ...shared,
    networks: attachmentsOf(stage, name, service, object),
    about: {
      project,
      service: name,
      number,
      configHash,
      ...(otherHashes.length === 0 ? {} : { otherHashes }),
      ...(joined === undefined ? {} : { joined }),
      composeVersion,
      workingDirectory: loaded.workingDirectory,
      configFiles: loaded.configFiles.join(','),
      environmentFiles: input.load.envFiles.join(','),
      dependsOn: dependsOnLabel(service),
    },
  }
}

/** Having ended well is the stronger wish of the two. */
function awaitedOf(stage: Stage, name: string): ServiceSpec['awaited'] {
  let awaited: ServiceSpec['awaited']
  for (const [, other] of servicesOf(stage)) {
    const condition = byName(other.depends_on ?? {}, name)?.condition
    if (condition === 'service_completed_successfully') return 'completed'
    if (condition === 'service_healthy') awaited = 'healthy'
  }
  return awaited
}

function orderOf(service: Service): ServiceSpec['updateOrder'] {
  const order = service.deploy?.update_config?.order
  return order === 'start-first' || order === 'stop-first' ? order : undefined
}
