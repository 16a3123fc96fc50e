/** What a service waits for: networks, volumes, and every replica of the services it depends on. */
import type { Service } from '#formats/compose/schema/file.ts'
import { refOf, type Ref } from '#model/ref.ts'
import type { Need } from '#model/resource.ts'
import type { Stage } from './stage.ts'

/** How many there are of each service. */
export type Replicas = ReadonlyMap<string, number>

const untils: Readonly<Record<string, Need['until']>> = {
  service_started: 'started',
  service_healthy: 'healthy',
  service_completed_successfully: 'completed',
}

export function needsOf(
  stage: Stage,
  name: string,
  service: Service,
  replicas: Replicas,
): readonly Need[] {
  const { model } = stage
  const networks = Object.keys(service.networks ?? {}).filter((network) =>
    Object.hasOwn(model.networks, network),
  )
  const volumes = (service.volumes ?? []).flatMap(({ type, source = '' }) =>
    type === 'volume' && Object.hasOwn(model.volumes, source) ? source : [],
  )
  return [
    ...networks.map((network) => existing(refOf('network', network))),
    ...[...new Set(volumes)].map((volume) => existing(refOf('volume', volume), true)),
    ...dependencies(name, service, replicas),
  ]
}

/** A volume that is made anew takes its users along; a network is taken off them and given back. */
function existing(ref: Ref, renew = false): Need {
  return { ref, until: 'exists', renew }
}

function dependencies(name: string, service: Service, replicas: Replicas): readonly Need[] {
  return Object.entries(service.depends_on ?? {}).flatMap(([other, dependency]) => {
    const { condition = '', restart, required } = dependency
    const until = untils[condition] ?? 'started'
    return other === name
      ? []
      : refsOf(other, replicas).map((ref): Need => ({
          ref,
          until,
          renew: restart === true,
          ...(required ? {} : { isOptional: true }),
        }))
  })
}

export function refsOf(service: string, replicas: Replicas): readonly Ref[] {
  const count = replicas.get(service) ?? 0
  return Array.from({ length: count }, (_, index) => refOf('container', `${service}-${index + 1}`))
}

/** `db:service_healthy:true,…`, as Compose writes it. */
export function dependsOnLabel(service: Service): string {
  return Object.entries(service.depends_on ?? {})
    .map(([other, { condition = '', restart = false }]) => `${other}:${condition}:${restart}`)
    .join(',')
}
