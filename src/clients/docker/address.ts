/** Whether a container that leaves a network gets its address again when it comes back. */
import type { Endpoint, InspectedEndpoint } from '#model/container-engine.ts'
import type { JsonRecord } from '#model/json.ts'
import { recordOf, recordsOf, textMapOf, textOf } from '#model/read-json.ts'
import type { Docker } from './client.ts'
import { inspectNetwork } from './networks.ts'
import { hasCheckCall } from './system.ts'

/**
 * Docker takes a wish for an address only on networks whose subnet the user gave. But it gives out the first one that is free, so
 * where all before it are taken, it is the same again. Podman takes the wish everywhere.
 */
export async function namelessEndpoint(
  docker: Docker,
  network: string,
  { addresses, mac }: InspectedEndpoint,
  signal: AbortSignal,
): Promise<Endpoint | undefined> {
  const four = addresses.find((address) => !address.includes(':'))
  const six = addresses.find((address) => address.includes(':'))
  if (await hasCheckCall(docker, signal)) {
    const wish = {
      ...(four === undefined ? {} : { IPv4Address: four }),
      ...(six === undefined ? {} : { IPv6Address: six }),
    }
    return { IPAMConfig: wish, MacAddress: mac }
  }
  if (four === undefined || six !== undefined) return undefined
  const found = await inspectNetwork(docker, network, signal)
  const isSame = found !== undefined && addressAfter(found, four) === numberOf(four)
  // before API 1.44 it is passed over, and follows from the address
  return isSame ? { MacAddress: mac } : undefined
}

/** The first address that would be free, were this one given back; undefined where addresses are given out in another way. */
export function addressAfter(network: JsonRecord, given: string): number | undefined {
  const ipam = recordOf(network['IPAM'])
  if (network['Driver'] !== 'bridge' || ipam['Driver'] !== 'default') return undefined
  const pools = recordsOf(ipam['Config'])
  const pool = pools.find((each) => isIn(textOf(each['Subnet']), given))
  if (pool === undefined) return undefined
  const subnet = textOf(pool['Subnet'])
  const range = textOf(pool['IPRange'])
  const others = Object.values(textMapOf(pool['AuxiliaryAddresses']))
  const containers = Object.values(recordOf(network['Containers'])).map((each) =>
    textOf(recordOf(each)['IPv4Address']),
  )
  const taken = new Set([subnet, textOf(pool['Gateway']), ...others, ...containers].map(numberOf))
  taken.delete(numberOf(given))
  let free = numberOf(range === '' ? subnet : range)
  while (taken.has(free)) free += 1
  return free
}

function isIn(subnet: string, address: string): boolean {
  const size = 2 ** (32 - Number(subnet.split('/')[1] ?? 32))
  const start = numberOf(subnet)
  return !subnet.includes(':') && numberOf(address) >= start && numberOf(address) < start + size
}

/** The number of an address such as `172.18.0.2` or `172.18.0.2/16`. */
function numberOf(text: string): number {
  const parts = (text.split('/')[0] ?? '').split('.')
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0)
}
