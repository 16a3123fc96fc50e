/** Networks, and going on and off them. */
import { isOthers } from '#domains/containers/only-own.ts'
import { isSameObject, saysThat, textIn } from '#domains/containers/payload.ts'
import { inspectContainer } from '#clients/docker/containers.ts'
import {
  connectContainer,
  createNetwork,
  disconnectContainer,
  inspectNetwork,
  removeNetwork,
} from '#clients/docker/networks.ts'
import { recordOf, textMapOf, textOf, textsOf } from '#clients/http/read.ts'
import type { Labels } from '#domains/containers/record.ts'
import type { Outputs } from '#model/domain.ts'
import { isList, type JsonRecord } from '#model/json.ts'
import type { Value } from '#model/value.ts'
import { fieldsOf } from '../expand/operation.ts'
import type { AttachmentSpec, NetworkSpec, Pool } from '../spec.ts'
import { networkSpecOf } from '../spec-of.ts'
import { endpointOf } from './endpoint.ts'
import { removing } from './held.ts'
import { labelsIn, type Job } from './job.ts'

export const networkVerbs = {
  'network.create': create,
  'network.remove': remove,
  'network.connect': connect,
  'network.disconnect': disconnect,
} as const

async function create(job: Job): Promise<Outputs> {
  const { docker, context, payload } = job
  const spec = networkSpecOf(payload['spec'] ?? null)
  const labels = labelsIn(job)
  try {
    await createNetwork(docker, bodyOf(spec, labels), context.signal)
  } catch (error) {
    // an earlier attempt made it, or it never went
    const found = await inspectNetwork(docker, spec.object, context.signal)
    if (found === undefined || !isSameObject(textMapOf(found['Labels']), labels)) throw error
  }
  return { object: spec.object }
}

export function bodyOf(spec: NetworkSpec, labels: Labels): JsonRecord {
  const { object, driver, options, ipam, isInternal, isAttachable, hasIPv6, hasIPv4 } = spec
  return {
    Name: object,
    Driver: driver ?? 'bridge',
    Options: options ?? {},
    Internal: isInternal ?? false,
    Attachable: isAttachable ?? false,
    ...(hasIPv6 === undefined ? {} : { EnableIPv6: hasIPv6 }),
    ...(hasIPv4 === undefined ? {} : { EnableIPv4: hasIPv4 }),
    ...(ipam === undefined
      ? {}
      : {
          IPAM: {
            Driver: ipam.driver ?? 'default',
            Options: ipam.options ?? {},
            Config: ipam.pools.map(poolOf),
          },
        }),
    Labels: labels,
  }
}

function poolOf({ subnet, gateway, range, auxiliary }: Pool): JsonRecord {
  return {
    ...(subnet === undefined ? {} : { Subnet: subnet }),
    ...(gateway === undefined ? {} : { Gateway: gateway }),
    ...(range === undefined ? {} : { IPRange: range }),
    ...(auxiliary === undefined ? {} : { AuxiliaryAddresses: auxiliary }),
  }
}

async function remove(job: Job): Promise<Outputs> {
  const name = textIn(job, 'name')
  if (job.payload['owner'] !== undefined) {
    const found = await inspectNetwork(job.docker, name, job.context.signal)
    if (found !== undefined && isOthers(job.payload, textMapOf(found['Labels']))) return {}
  }
  await removing(
    job,
    () => removeNetwork(job.docker, name, job.context.signal),
    ({ networks }) => networks.some(({ network }) => network === name),
    (holder) => `docker network disconnect ${name} ${holder}, or remove that container, and again`,
  )
  return {}
}

async function connect(job: Job): Promise<Outputs> {
  const { docker, memory, context, payload } = job
  const [network, container] = [textIn(job, 'network'), textIn(job, 'container')]
  const key = `${network} ${container}`
  const attachment = attachmentIn(payload['attachment'])
  const endpoint = attachment === undefined ? memory.endpoints.get(key) : endpointOf(attachment)
  try {
    await connectContainer(docker, network, container, endpoint ?? {}, context.signal)
  } catch (error) {
    if (!saysThat(error, /already (exists|connected|attached)/i) && !isGone(error)) throw error
  }
  memory.endpoints.delete(key)
  return {}
}

function attachmentIn(value: Value | undefined): AttachmentSpec | undefined {
  return isAttachment(value) ? value : undefined
}

function isAttachment(value: Value | undefined): value is AttachmentSpec {
  const { network, aliases } = fieldsOf(value)
  return typeof network === 'string' && isList(aliases)
}

/** How a stranger's container is there is known only to itself: remembered until it is on again. */
async function disconnect(job: Job): Promise<Outputs> {
  const { docker, memory, context } = job
  const [network, container] = [textIn(job, 'network'), textIn(job, 'container')]
  const key = `${network} ${container}`
  if (!memory.endpoints.has(key)) {
    const found = await inspectContainer(docker, container, context.signal)
    const networks = recordOf(recordOf(found?.['NetworkSettings'])['Networks'])
    const { Aliases: aliases, IPAMConfig: ipam, Links: links } = recordOf(networks[network])
    const id = textOf(found?.['Id'])
    memory.endpoints.set(key, {
      // engines add the short id by themselves
      Aliases: textsOf(aliases).filter((alias) => !id.startsWith(alias)),
      ...(ipam === undefined || ipam === null ? {} : { IPAMConfig: ipam }),
      ...(links === undefined || links === null ? {} : { Links: links }),
    })
  }
  try {
    await disconnectContainer(docker, network, container, context.signal)
  } catch (error) {
    if (!saysThat(error, /is not connected|not connected to/i)) throw error
  }
  return {}
}

/** The container went in the meantime: then it needs no network. */
function isGone(error: unknown): boolean {
  return saysThat(error, /no such container|no container with/i)
}
