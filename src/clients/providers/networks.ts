/** Networks that clusters share, on the engine that runs their nodes. */
import { Problem, problemOf } from '#model/problem.ts'
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import { isList, type Json } from '#model/json.ts'
import { gatewayOf, subnetOf } from '#model/subnet.ts'
import { call } from './call.ts'
import type { ProgramSettings } from './provider.ts'

export type Network = {
  readonly name: string
  readonly subnet: string | undefined
  /** The gateway; undefined: the first address of the subnet. */
  readonly gateway?: string | undefined
  /** k3d makes clusters on this network. */
  readonly needsGateway?: boolean
}

/** Makes the network where it is missing, and never changes one that exists. Says which of the two it was. */
export async function ensureNetwork(
  engine: Pick<ProgramSettings, 'program' | 'environment' | 'key'>,
  { name, subnet, gateway, needsGateway }: Network,
  signal: AbortSignal,
): Promise<'made' | 'there'> {
  const ask = (...words: readonly string[]): Promise<string> =>
    call({ settings: engine, words: ['network', ...words], signal })
  const found = await networkOf(ask, name)
  if (found === undefined) {
    const more = subnet === undefined ? [] : rangeWords(subnet, gateway)
    await ask('create', '--driver', 'bridge', '--label', 'tend-fleet', ...more, name)
    return 'made'
  }
  if (subnet !== undefined && !found.subnets.includes(subnet)) {
    throw other(name, subnet, found.subnets)
  }
  if (needsGateway === true && found.gateways.length === 0) throw gateless(name, subnet)
  return 'there'
}

/** Docker gives a network with a subnet no gateway by itself, and k3d makes no cluster on one without. */
function rangeWords(subnet: string, gateway: string | undefined): readonly string[] {
  const range = subnetOf(subnet)
  const at = gateway ?? (range === undefined ? undefined : gatewayOf(range))
  return ['--subnet', subnet, ...(at === undefined ? [] : ['--gateway', at])]
}

type NetworkAddresses = {
  readonly subnets: readonly string[]
  readonly gateways: readonly string[]
}

/** Undefined: there is no such network. */
async function networkOf(
  ask: (...words: readonly string[]) => Promise<string>,
  name: string,
): Promise<NetworkAddresses | undefined> {
  const names = (await ask('ls', '--format', '{{.Name}}')).split('\n').map((line) => line.trim())
  if (!names.includes(name)) return undefined
  try {
    const list: Json = JSON.parse(await ask('inspect', name))
    const [network] = recordsOf(isList<Json>(list) ? list : [])
    const docker = recordsOf(recordOf(network?.['IPAM'])['Config'])
    const podman = recordsOf(network?.['subnets'])
    const subnets = [
      ...docker.map((one) => textOf(one['Subnet'])),
      ...podman.map((one) => textOf(one['subnet'])),
    ]
    const gateways = [
      ...docker.map((one) => textOf(one['Gateway'])),
      ...podman.map((one) => textOf(one['gateway'])),
    ].filter((gateway) => gateway !== '')
    return { subnets, gateways }
  } catch (thrown) {
    throw problemOf(thrown)
  }
}

function gateless(name: string, subnet: string | undefined): Problem {
  return new Problem({
    type: 'runtime',
    code: 'name_taken',
    message: `the network ${name} has no gateway, and k3d makes no cluster on such a one`,
    suggestion: `remove it (docker network rm ${name}) and run tend fleet bootstrap again, which makes it with one${subnet === undefined ? '' : ` in ${subnet}`}`,
  })
}

function other(name: string, wanted: string, found: readonly string[]): Problem {
  return new Problem({
    type: 'runtime',
    code: 'name_taken',
    message: `the network ${name} has the subnet ${found.join(', ') || 'of another kind'}, not ${wanted}`,
    suggestion: 'name another network or this subnet in fleet.yaml: networks',
  })
}
