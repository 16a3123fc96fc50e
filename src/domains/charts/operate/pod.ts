/** Pods. */
import { isOthers } from '#domains/containers/only-own.ts'
import { isSameObject, textIn } from '#domains/containers/payload.ts'
import { createPod, listPods, removePod, stopPod } from '#clients/podman/pods.ts'
import type { Labels } from '#domains/containers/record.ts'
import type { Outputs } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { label } from '../labels.ts'
import { hostsFor } from './host-gateway.ts'
import { assertFree } from './ports.ts'
import { attachments, portMappings } from './specgen.ts'
import { labelsForNew, labelsIn, type Job } from './job.ts'
import type { PodSpec } from '../spec.ts'
import { podSpecOf } from '../spec-of.ts'
import { defined } from '#model/defined.ts'

export const podVerbs = { 'pod.create': create, 'pod.stop': stop, 'pod.remove': remove } as const

async function create(job: Job): Promise<Outputs> {
  const { podman, context, payload } = job
  const name = textIn(job, 'name')
  const labels = labelsIn(job)
  const done = { object: name }
  if (context.attempt > 1) {
    const pods = await listPods(podman, context.signal)
    const found = pods.find((pod) => pod.name === name)
    if (found !== undefined && isSameObject(found.labels, labels)) return done
  }
  await assertFree(job)
  const spec = podSpecOf(payload['spec'] ?? null)
  const extraHosts = await hostsFor(job, spec.extraHosts, spec.networks)
  const known = extraHosts === undefined ? spec : { ...spec, extraHosts }
  await createPod(podman, bodyOf(known, name, labelsForNew(job)), context.signal)
  return done
}

export function bodyOf(spec: PodSpec, name: string, labels: Labels): JsonRecord {
  const { hostname, ports, networks, sysctl, extraHosts } = spec
  return {
    name,
    labels,
    ...(hostname === undefined ? {} : { hostname }),
    ...(ports.length === 0 ? {} : { portmappings: portMappings(ports) }),
    ...(networks.length === 0
      ? {}
      : { netns: { nsmode: 'bridge' }, Networks: attachments(networks) }),
    ...(sysctl === undefined ? {} : { sysctl }),
    ...(extraHosts === undefined
      ? {}
      : { hostadd: Object.entries(extraHosts).map(([host, address]) => `${host}:${address}`) }),
  }
}

/** Podman takes a pod of which a member has ended for stopped already, and leaves the others running: they are told one by one. */
async function stop(job: Job): Promise<Outputs> {
  const { podman, context } = job
  const key = { id: textIn(job, 'id'), name: textIn(job, 'name') }
  await stopPod(podman, key, context.signal)
  const pod = (await listPods(podman, context.signal)).find((found) => found.id === key.id)
  const running = (pod?.members ?? []).filter(({ state }) => state === 'running')
  const members = running.filter(({ id }) => id !== pod?.infraId)
  await Promise.all(members.map(({ id }) => stopMember(job, id)))
  if (members.length < running.length) await stopMember(job, defined(pod).infraId)
  return {}
}

/** In the time that it was given itself. */
function stopMember({ podman, context }: Job, id: string): Promise<unknown> {
  return podman.ask('POST', `/containers/${id}/stop`, {
    signal: context.signal,
    doing: `could not stop container ${id.slice(0, 12)}`,
    fine: [304, 404],
    silence: 600_000,
  })
}

/** Podman removes a pod with everything in it: not before it is sure that all of that is ours. */
async function remove(job: Job): Promise<Outputs> {
  const { podman, engine, context } = job
  const name = textIn(job, 'name')
  const { id: seen } = job.payload
  const pods = await listPods(podman, context.signal)
  // on the way back only its name is known, and whose it has to be
  const pod = pods.find((found) => (seen === undefined ? found.name === name : found.id === seen))
  if (pod === undefined || isOthers(job.payload, pod.labels)) return {}
  const owner = pod.labels[label.owner]
  for (const { id, name: member } of pod.members) {
    if (id === pod.infraId) continue
    const found = await engine.inspectContainer(id, context.signal)
    if (found === undefined || found.labels[label.owner] === owner) continue
    throw new Problem({
      type: 'runtime',
      code: 'in_use',
      message: `pod ${name} holds container ${member}, which was not made by this application`,
      suggestion: `remove it (podman rm -f ${member}) or move it to another pod`,
    })
  }
  await removePod(podman, pod, context.signal)
  return {}
}
