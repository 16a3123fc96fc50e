/** Asks for something by writing on a Kustomization, as Flux's commands do, where no service that knows it can be reached. */
import { recordOf, textOf } from '#model/read-json.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { clustersOf } from '#clients/kubernetes/clusters.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import { getObject, patchObject } from '#clients/kubernetes/objects.ts'
import {
  fluxObjectOf,
  handledAt,
  kustomizations,
  readyOf,
  requested,
  type FluxObject,
} from '#controller/flux/kinds.ts'
import { home } from '#controller/flux/kinds.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem, problemOf } from '#model/problem.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { kustomizationIn } from '../arguments/object-names.ts'
import { findService } from '../service/find.ts'
import type { CommandContext } from '../session.ts'
import { harmless } from '../views/paint.ts'

type ObjectRequest = 'suspend' | 'resume' | 'sync'

const said = { suspend: 'suspended', resume: 'resumed', sync: 'asked for' } as const

/** Asks the service if it knows the object, and else writes on the object itself. */
export async function orOnObject(
  wish: ObjectRequest,
  invocation: Invocation,
  context: CommandContext,
  byService: () => Promise<number>,
): Promise<number> {
  const { words, flags } = invocation
  const isOther = kustomizationIn(words[0] ?? '') === undefined
  const isNamed = flags.service.server !== undefined || flags.allowEmpty || flags.allowMassDelete
  if (isOther || isNamed) return byService()
  if (findService(flags, context.session) === undefined) {
    return (await onObject(wish, invocation, context)) ?? byService()
  }
  return byService().catch(async (thrown: unknown) => {
    const { code, suggestion = '' } = problemOf(thrown)
    if (code !== 'unreachable' && code !== 'not_found') throw thrown
    const isTold = suggestion.startsWith('did you mean')
    const written = await onObject(wish, invocation, context).catch((other: unknown) => {
      throw isTold ? thrown : other
    })
    if (written === undefined) throw thrown
    return written
  })
}

/** Undefined: there is no cluster to ask. */
async function onObject(
  wish: ObjectRequest,
  { words, flags }: Invocation,
  command: CommandContext,
): Promise<number | undefined> {
  const { name = '', namespace = flags.namespace ?? home } = kustomizationIn(words[0] ?? '') ?? {}
  const { kubeconfig, context } = flags.kube
  const clusters = clusterIfAny(kubeconfig, context)
  if (clusters === undefined) return undefined
  const place = { kind: kustomizations, namespace, name }
  const { screen, session, signal } = command
  try {
    const { kubernetes } = clusters.local()
    const object = await getObject(kubernetes, place, signal)
    if (object === undefined) throw unknown(namespace, name, kubernetes.server)
    const at = new Date(session.clock.now()).toISOString()
    const patch = { kind: 'merge', body: bodyOf(wish, fluxObjectOf(object), at) } as const
    const written = await patchObject(kubernetes, place, patch, { signal, manager: 'tend' })
    const where = `in the cluster at ${kubernetes.server}`
    if (screen.format !== 'table') await screen.document(written)
    else screen.print([`kustomization:${namespace}/${name}: ${said[wish]}, ${where}`])
    const waits = wish === 'sync' && flags.service.waits
    return waits ? await ended(kubernetes, place, at, command) : 0
  } finally {
    clusters.close()
  }
}

function bodyOf(wish: ObjectRequest, { key, isSuspended }: FluxObject, at: string): JsonRecord {
  if (wish !== 'sync') return { spec: { suspend: wish === 'suspend' ? true : null } }
  if (!isSuspended) return { metadata: { annotations: { [requested]: at } } }
  throw new Problem({
    type: 'runtime',
    code: 'suspended',
    message: `kustomization:${key} is suspended`,
    suggestion: `resume it first: tend resume kustomization/${key}`,
  })
}

/** The pause between two looks at the result, ms. */
const pause = 500

async function ended(
  kubernetes: Kubernetes,
  place: Parameters<typeof getObject>[1],
  at: string,
  { screen, session, signal }: CommandContext,
): Promise<number> {
  for (;;) {
    const one = fluxObjectOf(recordOf(await getObject(kubernetes, place, signal)))
    const { status, message } = readyOf(one)
    if (handledAt(one) === at && status !== 'Unknown') {
      screen.note(`  ${harmless(textOf(message))}`)
      return status === 'True' ? 0 : 1
    }
    await session.clock.sleep(pause, signal)
  }
}

function clusterIfAny(kubeconfig: string | undefined, context: string | undefined) {
  try {
    return clustersOf(findCluster(clusterSurroundings(kubeconfig, context)))
  } catch (thrown) {
    if (kubeconfig === undefined && problemOf(thrown).code === 'unreachable') return undefined
    throw thrown
  }
}

function unknown(namespace: string, name: string, server: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `there is no Kustomization ${namespace}/${name} in the cluster at ${server}`,
    suggestion: 'tend get kustomizations -A lists them; -n names another namespace',
  })
}
