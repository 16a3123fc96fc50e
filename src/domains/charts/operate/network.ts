/** Networks, and going on and off them. */
import { isOthers } from '#domains/containers/only-own.ts'
import { isSameObject, saysThat, textIn } from '#domains/containers/payload.ts'
import { inspectContainer } from '#clients/podman/containers.ts'
import {
  connectContainer,
  createNetwork,
  disconnectContainer,
  inspectNetwork,
  removeNetwork,
} from '#clients/podman/networks.ts'
import { recordOf, textMapOf, textOf, textsOf } from '#clients/http/read.ts'
import type { Labels } from '#domains/containers/record.ts'
import type { Outputs } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import { isNotFound, labelsIn, textsIn, type Job } from './work.ts'
import type { NetworkSpec } from '../spec.ts'
import { networkSpecOf } from '../spec-of.ts'

export const networkVerbs = {
  'network.create': create,
  'network.remove': remove,
  'network.connect': connect,
  'network.disconnect': disconnect,
  'network.unname': unname,
} as const

async function create(job: Job): Promise<Outputs> {
  const { podman, context, payload } = job
  const spec = networkSpecOf(payload['spec'] ?? null)
  const labels = labelsIn(job)
  const done = { object: spec.object }
  if (context.attempt > 1) {
    const found = await inspectNetwork(podman, spec.object, context.signal)
    if (found !== undefined && isSameObject(textMapOf(found['labels']), labels)) return done
  }
  await createNetwork(podman, bodyOf(spec, labels), context.signal)
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

async function remove(job: Job): Promise<Outputs> {
  const { podman, payload, context } = job
  const name = textIn(job, 'name')
  if (payload['owner'] !== undefined) {
    const found = await inspectNetwork(podman, name, context.signal)
    if (found !== undefined && isOthers(payload, textMapOf(found['labels']))) return {}
  }
  await removeNetwork(podman, name, context.signal)
  return {}
}

async function connect(job: Job): Promise<Outputs> {
  const { podman, memory, context } = job
  const [network, container] = [textIn(job, 'network'), textIn(job, 'container')]
  const key = `${network} ${container}`
  const aliases = textsIn(job, 'aliases') ?? memory.aliases.get(key) ?? []
  try {
    await connectContainer(podman, network, container, aliases, context.signal)
  } catch (error) {
    if (!saysThat(error, /already connected/i) && !isGone(error)) throw error
  }
  memory.aliases.delete(key)
  return {}
}

/** What a stranger's container is called there is known only to itself: remembered until it is on again. */
async function disconnect(job: Job): Promise<Outputs> {
  const { podman, memory, context } = job
  const [network, container] = [textIn(job, 'network'), textIn(job, 'container')]
  const key = `${network} ${container}`
  if (!memory.aliases.has(key)) {
    const found = await inspectContainer(podman, container, context.signal)
    const networks = recordOf(recordOf(found?.['NetworkSettings'])['Networks'])
    const aliases = textsOf(recordOf(networks[network])['Aliases'])
    // Podman adds the short id by itself
    memory.aliases.set(
      key,
      aliases.filter((alias) => !container.startsWith(alias)),
    )
  }
  try {
    await disconnectContainer(podman, network, container, context.signal)
  } catch (error) {
    if (!saysThat(error, /not connected to|is not connected/i)) throw error
  }
  return {}
}

/** With the same address and the same interface's address: connections outlive the moment without an interface. */
async function unname(job: Job): Promise<Outputs> {
  const { podman, memory, context } = job
  const [network, container] = [textIn(job, 'network'), textIn(job, 'container')]
  const { signal } = context
  const key = `${network} ${container}`
  const found = await inspectContainer(podman, container, signal)
  const on = recordOf(recordOf(recordOf(found?.['NetworkSettings'])['Networks'])[network])
  const address = [textOf(on['IPAddress']), textOf(on['GlobalIPv6Address'])].filter(Boolean)
  const endpoint =
    address.length === 0
      ? memory.endpoints.get(key)
      : { static_ips: address, static_mac: textOf(on['MacAddress']) }
  if (endpoint === undefined) return {}
  memory.endpoints.set(key, endpoint)
  await disconnectContainer(podman, network, container, signal)
  await connectContainer(podman, network, container, [], signal, endpoint)
  memory.endpoints.delete(key)
  return {}
}

/** The container went in the meantime: then it needs no network. */
function isGone(error: unknown): boolean {
  return isNotFound(error) && saysThat(error, /no such container|no container with/i)
}
