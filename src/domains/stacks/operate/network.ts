/** Networks, and going on and off them. */
import { networkVerbs as sharedVerbs, removeNetwork } from '#domains/containers/operate/network.ts'
import { isSameObject } from '#domains/containers/payload.ts'
import type { Labels } from '#domains/containers/record.ts'
import type { Endpoint } from '#model/container-engine.ts'
import type { Outputs } from '#model/domain.ts'
import { isList, type JsonRecord } from '#model/json.ts'
import type { Value } from '#model/value.ts'
import { fieldsOf } from '../expand/operation.ts'
import type { AttachmentSpec, NetworkSpec, Pool } from '../spec.ts'
import { networkSpecOf } from '../spec-of.ts'
import { endpointOf } from './endpoint.ts'
import { removing } from './held.ts'
import { labelsForNew, labelsIn, type Job } from './job.ts'

export const networkVerbs = {
  'network.create': create,
  'network.remove': remove,
  ...sharedVerbs(endpointIn),
} as const

async function create(job: Job): Promise<Outputs> {
  const { engine, context, payload } = job
  const spec = networkSpecOf(payload['spec'] ?? null)
  const labels = labelsIn(job)
  try {
    await engine.createNetwork(bodyOf(spec, labelsForNew(job)), context.signal)
  } catch (error) {
    // an earlier attempt made it, or it never went
    const found = await engine.networkLabels(spec.object, context.signal)
    if (found === undefined || !isSameObject(found, labels)) throw error
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

function remove(job: Job): Promise<Outputs> {
  return removeNetwork(job, (name, id) =>
    removing(
      job,
      () => job.engine.removeNetwork(name, job.context.signal, id),
      ({ networks }) => networks.some(({ network }) => network === name),
      (holder) =>
        `docker network disconnect ${name} ${holder}, or remove that container, and again`,
    ),
  )
}

function endpointIn({ payload: { attachment } }: Job): Endpoint | undefined {
  return isAttachment(attachment) ? endpointOf(attachment) : undefined
}

function isAttachment(value: Value | undefined): value is AttachmentSpec {
  const { network, aliases } = fieldsOf(value)
  return typeof network === 'string' && isList(aliases)
}
