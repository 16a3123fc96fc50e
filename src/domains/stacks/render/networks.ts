/** Networks of the project: made under `project_name`, or there already when they are external. */
import { recordOf, recordsOf, textMapOf, textOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { refOf } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import type { NetworkSpec, Pool } from '../spec.ts'
import { filled, placeAt, type Stage } from './stage.ts'

export function networkResources(stage: Stage): readonly Resource[] {
  const networks = recordOf(stage.model['networks'])
  return Object.keys(networks).map((name) => ({
    ref: refOf('network', name),
    spec: specOf(stage, name, recordOf(networks[name])),
    needs: [],
    origin: placeAt(stage, ['networks', name]),
    problems: [],
  }))
}

function specOf(
  { project, composeVersion }: Stage,
  name: string,
  network: JsonRecord,
): NetworkSpec {
  const about = { project, name, composeVersion }
  const object = textOf(network['name'])
  if (network['external'] === true) return { object, isExternal: true, about }
  const ipam = recordOf(network['ipam'])
  const pools = recordsOf(ipam['config']).map(poolOf)
  return {
    object,
    isExternal: false,
    ...filled({
      driver: textOf(network['driver']),
      options: textMapOf(network['driver_opts']),
      labels: textMapOf(network['labels']),
    }),
    // options alone tell the default driver nothing
    ...(pools.length === 0 && textOf(ipam['driver']) === ''
      ? {}
      : {
          ipam: {
            ...filled({ driver: textOf(ipam['driver']), options: textMapOf(ipam['options']) }),
            pools,
          },
        }),
    ...(network['internal'] === true ? { isInternal: true } : {}),
    ...(network['attachable'] === true ? { isAttachable: true } : {}),
    ...(typeof network['enable_ipv6'] === 'boolean' ? { hasIPv6: network['enable_ipv6'] } : {}),
    ...(typeof network['enable_ipv4'] === 'boolean' ? { hasIPv4: network['enable_ipv4'] } : {}),
    about,
  }
}

function poolOf(config: JsonRecord): Pool {
  return filled({
    subnet: textOf(config['subnet']),
    gateway: textOf(config['gateway']),
    range: textOf(config['ip_range']),
    auxiliary: textMapOf(config['aux_addresses']),
  })
}
