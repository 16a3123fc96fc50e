/** Networks: going on and off them, and removing them. */
import type { Endpoint } from '#model/container-engine.ts'
import type { Outputs } from '#model/domain.ts'
import { isOthers } from '../only-own.ts'
import { textIn } from '../payload.ts'
import type { EngineJob, OperationHandler } from './job.ts'

/** `endpointIn`: how the payload says that a container is to be on a network; undefined: as it was before. */
export function networkVerbs<Job extends EngineJob>(
  endpointIn: (job: Job) => Endpoint | undefined,
) {
  return {
    'network.connect': (job) => connect(job, endpointIn(job)),
    'network.disconnect': disconnect,
    'network.unname': unname,
  } as const satisfies Record<string, OperationHandler<Job>>
}

async function connect(job: EngineJob, endpoint: Endpoint | undefined): Promise<Outputs> {
  const { engine, memory, context } = job
  const [network, container] = [textIn(job, 'network'), textIn(job, 'container')]
  const key = `${network} ${container}`
  const known = endpoint ?? memory.endpoints.get(key) ?? {}
  await engine.connect(network, container, known, context.signal)
  memory.endpoints.delete(key)
  return {}
}

/** How a stranger's container is there is known only to itself: remembered until it is on again. */
async function disconnect(job: EngineJob): Promise<Outputs> {
  const { engine, memory, context } = job
  const [network, container] = [textIn(job, 'network'), textIn(job, 'container')]
  const key = `${network} ${container}`
  if (!memory.endpoints.has(key)) {
    const found = await engine.inspectContainer(container, context.signal)
    memory.endpoints.set(key, found?.networks[network]?.endpoint ?? {})
  }
  await engine.disconnect(network, container, context.signal)
  return {}
}

/** It comes back with the same address: connections outlive the moment without an interface. */
async function unname(job: EngineJob): Promise<Outputs> {
  const { engine, memory, context } = job
  const [network, container] = [textIn(job, 'network'), textIn(job, 'container')]
  const { signal } = context
  const key = `${network} ${container}`
  const found = (await engine.inspectContainer(container, signal))?.networks[network]
  const on = found === undefined || found.addresses.length === 0 ? memory.unnamed.get(key) : found
  if (on === undefined) return {}
  const endpoint = await engine.namelessEndpoint(network, on, signal)
  if (endpoint === undefined) {
    memory.stillNamed.add(container)
    return {}
  }
  memory.unnamed.set(key, on)
  await engine.disconnect(network, container, signal)
  await engine.connect(network, container, endpoint, signal)
  memory.unnamed.delete(key)
  return {}
}

/**
 * A network that somebody else made under the name stays: on the way back it is known by its owner, else by its id. `remove`: how it
 * goes, where more is to be said.
 */
export async function removeNetwork(
  job: EngineJob,
  remove = (name: string, id?: string): Promise<unknown> =>
    job.engine.removeNetwork(name, job.context.signal, id),
): Promise<Outputs> {
  const { engine, payload, context } = job
  const name = textIn(job, 'name')
  if (payload['owner'] !== undefined) {
    const labels = await engine.networkLabels(name, context.signal)
    if (labels !== undefined && isOthers(payload, labels)) return {}
  }
  await remove(name, payload['object'] === undefined ? undefined : textIn(job, 'object'))
  return {}
}
