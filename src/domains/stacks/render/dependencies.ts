/** What a service waits for: networks, volumes, and every replica of the services it depends on. */
import { recordOf, recordsOf, textOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
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
  service: JsonRecord,
  replicas: Replicas,
): readonly Need[] {
  const networks = Object.keys(recordOf(service['networks'])).filter(
    (network) => network in recordOf(stage.model['networks']),
  )
  const volumes = recordsOf(service['volumes']).flatMap((volume) => {
    const source = textOf(volume['source'])
    const isNamed = volume['type'] === 'volume' && source in recordOf(stage.model['volumes'])
    return isNamed ? source : []
  })
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

function dependencies(name: string, service: JsonRecord, replicas: Replicas): readonly Need[] {
  const wanted = recordOf(service['depends_on'])
  return Object.keys(wanted).flatMap((other) => {
    const { condition, restart, required } = recordOf(wanted[other])
    const until = untils[textOf(condition)] ?? 'started'
    return other === name
      ? []
      : refsOf(other, replicas).map((ref): Need => ({
          ref,
          until,
          renew: restart === true,
          ...(required === false ? { isOptional: true } : {}),
        }))
  })
}

export function refsOf(service: string, replicas: Replicas): readonly Ref[] {
  const count = replicas.get(service) ?? 0
  return Array.from({ length: count }, (_, index) => refOf('container', `${service}-${index + 1}`))
}

/** `db:service_healthy:true,…`, as Compose writes it. */
export function dependsOnLabel(service: JsonRecord): string {
  const wanted = recordOf(service['depends_on'])
  return Object.keys(wanted)
    .map((other) => {
      const { condition, restart } = recordOf(wanted[other])
      return `${other}:${textOf(condition)}:${String(restart === true)}`
    })
    .join(',')
}
