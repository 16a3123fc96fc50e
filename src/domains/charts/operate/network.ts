/** Networks, and going on and off them. */
import { networkVerbs as sharedVerbs, removeNetwork } from '#domains/containers/operate/network.ts'
import { isSameObject } from '#domains/containers/payload.ts'
import type { Labels } from '#domains/containers/record.ts'
import type { Endpoint } from '#model/container-engine.ts'
import type { Outputs } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import { labelsForNew, labelsIn, textsIn, type Job } from './job.ts'
import type { NetworkSpec } from '../spec.ts'
import { networkSpecOf } from '../spec-of.ts'

export const networkVerbs = {
  'network.create': create,
  'network.remove': (job: Job) => removeNetwork(job),
  ...sharedVerbs(endpointIn),
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
  await engine.createNetwork(bodyOf(spec, labelsForNew(job)), context.signal)
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
