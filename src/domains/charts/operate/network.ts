/** Networks, and going on and off them. */
import { connectContainer, disconnectContainer } from '#clients/podman/networks.ts'
import { networkVerbs as sharedVerbs, removeNetwork } from '#domains/containers/operate/network.ts'
import { isSameObject, textIn } from '#domains/containers/payload.ts'
import type { Labels } from '#domains/containers/record.ts'
import type { Endpoint } from '#model/container-engine.ts'
import type { Outputs } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import { labelsIn, textsIn, type Job } from './work.ts'
import type { NetworkSpec } from '../spec.ts'
import { networkSpecOf } from '../spec-of.ts'

export const networkVerbs = {
  'network.create': create,
  'network.remove': (job: Job) => removeNetwork(job),
  ...sharedVerbs(endpointIn),
  'network.unname': unname,
} as const

async function create(job: Job): Promise<Outputs> {
  const { engine, context, payload } = job
  const spec = networkSpecOf(payload['spec'] ?? null)
  const labels = labelsIn(job)
  const done = { object: spec.object }
  if (context.attempt > 1) {
    const found = await engine.networkLabels(spec.object, context.signal)
    if (found !== undefined && isSameObject(found, labels)) return done
  }
  await engine.createNetwork(bodyOf(spec, labels), context.signal)
  return done
}

/** Names resolve only if it is said: through the API the default is that they don't. */
export function bodyOf(spec: NetworkSpec, labels: Labels): JsonRecord {
  const { object, driver, subnet, gateway, options } = spec
  return {
    name: object,
    driver,
    dns_enabled: driver === 'bridge',
    ...(subnet === undefined
      ? {}
      : { subnets: [{ subnet, ...(gateway === undefined ? {} : { gateway }) }] }),
    ...(subnet?.includes(':') === true ? { ipv6_enabled: true } : {}),
    ...(options === undefined ? {} : { options }),
    labels,
  }
}

function endpointIn(job: Job): Endpoint | undefined {
  const aliases = textsIn(job, 'aliases')
  return aliases && { aliases }
}

/** With the same address and the same interface's address: connections outlive the moment without an interface. */
async function unname(job: Job): Promise<Outputs> {
  const { podman, engine, memory, context } = job
  const [network, container] = [textIn(job, 'network'), textIn(job, 'container')]
  const { signal } = context
  const key = `${network} ${container}`
  const on = (await engine.inspectContainer(container, signal))?.networks[network]
  const endpoint =
    on === undefined || on.addresses.length === 0
      ? memory.unnamed.get(key)
      : { static_ips: on.addresses, static_mac: on.mac }
  if (endpoint === undefined) return {}
  memory.unnamed.set(key, endpoint)
  await disconnectContainer(podman, network, container, signal)
  await connectContainer(podman, network, container, [], signal, endpoint)
  memory.unnamed.delete(key)
  return {}
}
