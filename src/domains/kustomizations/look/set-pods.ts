/** The pods that the workloads of a set made, with their containers: whose logs are the set's. */
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { Discovery } from '#clients/kubernetes/discovery.ts'
import { listObjects } from '#clients/kubernetes/list.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import type { JsonRecord } from '#model/json.ts'
import { nameOf, type Ref } from '#model/ref.ts'
import type { ContainerStatus } from '#model/service.ts'
import { nameOfObject, refOfObject } from '../object.ts'

/** Kinds that make pods, themselves or by what they make. */
const workloads =
  /^(Pod|(Deployment|StatefulSet|DaemonSet|ReplicaSet)\.apps|(Job|CronJob)\.batch)\//
/** What stands between some of them and their pods. */
const between = [
  { made: 'Deployment.apps/', apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  { made: 'CronJob.batch/', apiVersion: 'batch/v1', kind: 'Job' },
] as const

/** `refs`: all that the set has. In order of their names. */
export async function podContainersOf(
  kubernetes: Kubernetes,
  discovery: Pick<Discovery, 'need'>,
  refs: ReadonlySet<Ref>,
  signal: AbortSignal,
): Promise<readonly ContainerStatus[]> {
  const own = new Set([...refs].filter((ref) => workloads.test(ref)))
  const homes = new Set([...own].map((ref) => nameOf(ref).split('/')[0] ?? ''))
  const found = await Promise.all([...homes].map((home) => inNamespace(home)))
  return found.flat().toSorted((one, other) => (one.name < other.name ? -1 : 1))

  async function list(
    namespace: string,
    apiVersion: string,
    kind: string,
  ): Promise<readonly JsonRecord[]> {
    const known = await discovery.need(apiVersion, kind, signal)
    const { objects } = await listObjects(kubernetes, known, { namespace }, signal)
    // lists leave out what all of their items are
    return objects.map((object) => ({ ...object, apiVersion, kind }))
  }

  async function inNamespace(namespace: string): Promise<readonly ContainerStatus[]> {
    /** What a pod may belong to, with what the set has of it. */
    const makers = new Map([...own].map((ref) => [ref, ref]))
    for (const { made, apiVersion, kind } of between) {
      if (![...own].some((ref) => ref.startsWith(`${made}${namespace}/`))) continue
      for (const object of await list(namespace, apiVersion, kind)) {
        const maker = makerOf(object, makers)
        if (maker !== undefined) makers.set(refOfObject(nameOfObject(object)), maker)
      }
    }
    const pods = await list(namespace, 'v1', 'Pod')
    return pods.flatMap((pod) => {
      const itself = refOfObject(nameOfObject(pod))
      const maker = own.has(itself) ? itself : makerOf(pod, makers)
      return maker === undefined ? [] : containersIn(pod, maker)
    })
  }
}

/** As its owner references say. */
function makerOf(object: JsonRecord, makers: ReadonlyMap<Ref, Ref>): Ref | undefined {
  const { namespace } = metadataOf(object)
  for (const owner of recordsOf(recordOf(object['metadata'])['ownerReferences'])) {
    const metadata = { namespace, name: owner['name'] ?? '' }
    const { apiVersion = '', kind = '' } = owner
    const found = makers.get(refOfObject(nameOfObject({ apiVersion, kind, metadata })))
    if (found !== undefined) return found
  }
  return undefined
}

function containersIn(pod: JsonRecord, ref: Ref): readonly ContainerStatus[] {
  const { namespace, name } = metadataOf(pod)
  const spec = recordOf(pod['spec'])
  const status = recordOf(pod['status'])
  const statuses = [
    ...recordsOf(status['initContainerStatuses']),
    ...recordsOf(status['containerStatuses']),
  ]
  const all = [...recordsOf(spec['initContainers']), ...recordsOf(spec['containers'])]
  return all.map((container) => {
    const own = textOf(container['name'])
    const seen = statuses.find((one) => one['name'] === own) ?? {}
    return {
      id: `${namespace}/${name}/${own}`,
      name: `${namespace}/${name}/${own}`,
      service: nameOf(ref).split('/').at(-1) ?? '',
      ...standingOf(seen),
      image: textOf(container['image']),
      ports: '',
      ref,
    } satisfies ContainerStatus
  })
}

/** Waiting for these is part of every start. */
const starts = ['', 'ContainerCreating', 'PodInitializing']

function standingOf(seen: JsonRecord): Pick<ContainerStatus, 'state' | 'health'> {
  const { running, terminated, waiting } = recordOf(seen['state'])
  if (running !== undefined) {
    return { state: 'running', health: seen['ready'] === true ? 'healthy' : 'starting' }
  }
  if (terminated !== undefined) {
    const { exitCode, reason } = recordOf(terminated)
    return { state: textOf(reason) || 'ended', health: exitCode === 0 ? 'none' : 'unhealthy' }
  }
  const reason = textOf(recordOf(waiting)['reason'])
  return { state: reason || 'waiting', health: starts.includes(reason) ? 'starting' : 'unhealthy' }
}
