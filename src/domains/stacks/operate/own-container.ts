/** `container:NAME` of a followed application is one of its own, by its id: what is called so may be another project's. */
import { listVolumes } from '#clients/docker/volumes.ts'
import { isAllowed } from '#domains/containers/image-builder.ts'
import { Problem } from '#model/problem.ts'
import type { Rule } from '#model/policy.ts'
import { textOf } from '#model/read-json.ts'
import { label } from '../labels.ts'
import { markersIn } from '../marker.ts'
import type { ServiceSpec } from '../spec.ts'
import type { Job } from './job.ts'

const fields = ['network_mode', 'ipc', 'pid', 'uts'] as const

/** The same spec with ids for names; by hand as it is. */
export async function withOwnContainers(job: Job, spec: ServiceSpec): Promise<ServiceSpec> {
  if (job.confinement === undefined) return spec
  const modes: Record<string, string> = {}
  for (const field of fields) {
    const [, name] = /^container:(.*)$/s.exec(textOf(spec.service[field])) ?? []
    if (name === undefined || spec.joins[field] !== undefined) continue
    modes[field] =
      `container:${await idOf(job, name, 'hostNamespaces', `${field}: container:${name}`)}`
  }
  const volumesFrom: ServiceSpec['volumesFrom'][number][] = []
  for (const { container, readOnly } of spec.volumesFrom) {
    const isName = typeof container === 'string' && !/^[0-9a-f]{64}$/.test(container)
    const id = isName
      ? await idOf(job, container, 'outsideBinds', `volumes of container:${container}`)
      : container
    volumesFrom.push({ container: id, readOnly })
  }
  return { ...spec, service: { ...spec.service, ...modes }, volumesFrom }
}

async function idOf(job: Job, name: string, rule: Rule, what: string): Promise<string> {
  const { engine, context } = job
  const found = await engine.inspectContainer(name, context.signal)
  if (found === undefined) throw missing(name, what)
  if (!(await isOwn(job, found.id, found.labels[label.owner]))) {
    isAllowed(job, { rule, what: `${what}, which is not its own,`, share: `container/${name}` })
  }
  return found.id
}

/** By its label, or as one that was taken over. */
async function isOwn(job: Job, id: string, owner: string | undefined): Promise<boolean> {
  const { docker, confinement, context } = job
  if (owner !== undefined) return owner === confinement?.owner
  const markers = markersIn(await listVolumes(docker, [], context.signal))
  return markers.get(confinement?.owner ?? '')?.adopted.has(`container ${id}`) === true
}

function missing(name: string, what: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'not_found',
    message: `${what}: there is no container ${name}`,
    suggestion: 'write service:NAME in its place, which waits for the container of that service',
    recoverable: true,
  })
}
