/** From a declared network to its spec. */
import { addressOf, isInside, subnetOf } from './addresses.ts'
import { compact } from './compact.ts'
import type { Declaration } from './declaration.ts'
import { textsOf } from './texts.ts'
import { bad } from '#formats/schema/rule.ts'
import type { NetworkSpec } from '../spec.ts'

export function networkSpec(network: Declaration<'network'>): NetworkSpec {
  checkGateway(network)
  return compact({
    object: network.object,
    driver: network.data.driver ?? 'bridge',
    subnet: network.data.subnet,
    gateway: network.data.gateway,
    options: textsOf(network, ['options'], network.data.options),
    labels: network.labels,
  })
}

function checkGateway(network: Declaration<'network'>): void {
  const { subnet, gateway } = network.data
  const address = gateway === undefined ? undefined : addressOf(gateway)
  if (gateway === undefined || address === undefined) return
  if (subnet === undefined) {
    network.report(
      ['gateway'],
      bad('a gateway needs a subnet', 'add subnet, such as 172.20.0.0/16'),
    )
    return
  }
  const around = subnetOf(subnet)
  if (around !== undefined && !isInside(address, around)) {
    network.report(['gateway'], bad(`${gateway} is not inside the subnet ${subnet}`))
  }
}
