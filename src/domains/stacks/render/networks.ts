/** Networks of the project: made under `project_name`, or there already when they are external. */
import type { Network } from '#formats/compose/schema/file.ts'
import { refOf } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import type { NetworkSpec, Pool } from '../spec.ts'
import { filled, placeAt, type Stage } from './stage.ts'

export function networkResources(stage: Stage): readonly Resource[] {
  return Object.entries(stage.model.networks).map(([name, network]) => ({
    ref: refOf('network', name),
    spec: specOf(stage, name, network),
    needs: [],
    origin: placeAt(stage, ['networks', name]),
    problems: [],
  }))
}

function specOf({ project, composeVersion }: Stage, name: string, network: Network): NetworkSpec {
  const about = { project, name, composeVersion }
  const object = network.name ?? ''
  if (network.external === true) return { object, isExternal: true, about }
  const { driver = '', config = [], options = {} } = network.ipam
  const pools = config.map(poolOf)
  return {
    object,
    isExternal: false,
    ...filled({
      driver: network.driver ?? '',
      options: network.driver_opts ?? {},
      labels: network.labels ?? {},
    }),
    // options alone tell the default driver nothing
    ...(pools.length === 0 && driver === ''
      ? {}
      : {
          ipam: { ...filled({ driver, options }), pools },
        }),
    ...(network.internal === true ? { isInternal: true } : {}),
    ...(network.attachable === true ? { isAttachable: true } : {}),
    ...(network.enable_ipv6 === undefined ? {} : { hasIPv6: network.enable_ipv6 }),
    ...(network.enable_ipv4 === undefined ? {} : { hasIPv4: network.enable_ipv4 }),
    about,
  }
}

function poolOf(config: NonNullable<Network['ipam']['config']>[number]): Pool {
  return filled({
    subnet: config.subnet ?? '',
    gateway: config.gateway ?? '',
    range: config.ip_range ?? '',
    auxiliary: config.aux_addresses ?? {},
  })
}
