/** The address of the host that `host-gateway` stands for. Podman knows the word from 4.7 on; before, we put the address in. */
import { recordsOf, textOf } from '#model/read-json.ts'
import { inspectNetwork } from '#clients/podman/networks.ts'
import { factsOf, isAtLeast } from '#clients/podman/system.ts'
import { Problem } from '#model/problem.ts'
import type { Job } from './job.ts'

const word = 'host-gateway'

/** Podman's own network, on which containers are that name none. */
const usualNetwork = 'podman'

/** The same hosts with addresses that this Podman understands. */
export async function hostsFor<Hosts extends Readonly<Record<string, string>> | undefined>(
  job: Job,
  hosts: Hosts,
  networks: readonly { readonly network: string }[],
): Promise<Hosts | Readonly<Record<string, string>>> {
  if (hosts === undefined || !Object.values(hosts).includes(word)) return hosts
  const { podman, memory, context } = job
  memory.facts ??= await factsOf(podman, context.signal)
  const { version, isRootless } = memory.facts
  if (isAtLeast(version, 4, 7)) return hosts
  const names = networks.length === 0 ? [usualNetwork] : networks.map(({ network }) => network)
  const gateway = isRootless ? undefined : await gatewayOf(job, names)
  if (gateway === undefined) throw unknown(version, isRootless)
  return Object.fromEntries(
    Object.entries(hosts).map(([host, address]) => [host, address === word ? gateway : address]),
  )
}

/** On a bridge of root's the gateway is the host itself. */
async function gatewayOf(
  { podman, context }: Job,
  names: readonly string[],
): Promise<string | undefined> {
  for (const name of names) {
    const found = await inspectNetwork(podman, name, context.signal)
    const gateways = recordsOf(found?.['subnets']).map((subnet) => textOf(subnet['gateway']))
    const gateway = gateways.find((address) => address !== '')
    if (gateway !== undefined) return gateway
  }
  return undefined
}

function unknown(version: string, isRootless: boolean): Problem {
  const why = isRootless
    ? 'without root it can not be told from here'
    : 'its networks have no gateway'
  return new Problem({
    type: 'runtime',
    code: 'not_possible_here',
    message: `Podman ${version} does not know host-gateway, and ${why}`,
    suggestion: 'write the address of the host, use host.containers.internal, or use Podman 4.7',
  })
}
