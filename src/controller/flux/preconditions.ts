/** Whether everything is there that Tend needs in a cluster: each answer with what to do about it. */
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import type { Line } from '#clients/kubernetes/clusters.ts'
import { listObjects } from '#clients/kubernetes/list.ts'
import { getObject } from '#clients/kubernetes/objects.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import type { Clock } from '#model/clock.ts'
import { problemOf } from '#model/problem.ts'
import {
  deployments,
  home,
  fluxObjectOf,
  kustomizations,
  leases,
  pods,
  readyOf,
  repositories,
} from './kinds.ts'
import { refuseBesideFlux } from './flux-controllers.ts'

export type Finding = { readonly what: string; readonly isGood: boolean; readonly says: string }

export async function preconditions(
  line: Line,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { kubernetes, discovery } = line
  async function found(what: string, look: () => Promise<string>): Promise<Finding> {
    try {
      return { what, isGood: true, says: await look() }
    } catch (thrown) {
      signal.throwIfAborted()
      const { message, suggestion } = problemOf(thrown)
      const says = suggestion === undefined ? message : `${message} (${suggestion})`
      return { what, isGood: false, says }
    }
  }

  async function foundAll(what: string, look: () => Promise<readonly Finding[]>) {
    let all: readonly Finding[] = []
    const one = await found(what, async () => {
      all = await look()
      return ''
    })
    return one.isGood ? all : [one]
  }

  const cluster = await found('cluster', async () => {
    const { body } = await kubernetes.ask('GET', '/version', {
      signal,
      doing: 'could not reach it',
    })
    await kubernetes.ask('GET', '/readyz', { signal, doing: 'it is not ready' })
    return `Kubernetes ${textOf(recordOf(body)['gitVersion'])} at ${kubernetes.server}`
  })
  if (!cluster.isGood) return [cluster]

  async function kinds(): Promise<string> {
    for (const { apiVersion, kind } of [repositories, kustomizations]) {
      const served = await discovery.find(apiVersion, kind, signal)
      if (served === undefined) throw lacking(`${kind} (${apiVersion}) is not served`)
    }
    return 'GitRepository and Kustomization are served'
  }

  async function rights(): Promise<string> {
    const asked = [
      [kustomizations.group, 'kustomizations', 'watch'],
      [kustomizations.group, 'kustomizations/status', 'patch'],
      [repositories.group, 'gitrepositories', 'watch'],
      [repositories.group, 'gitrepositories/status', 'patch'],
      [leases.group, 'leases', 'update'],
      ['', 'secrets', 'watch'],
      ['', 'configmaps', 'watch'],
      ['', 'serviceaccounts', 'impersonate'],
    ] as const
    const missing: string[] = []
    for (const [group, resource, verb] of asked) {
      if (!(await mayI(line, group, resource, verb, signal))) missing.push(`${verb} ${resource}`)
    }
    if (missing.length > 0) throw lacking(`no right to ${missing.join(', ')}`)
    return 'all that are needed'
  }

  async function controller(): Promise<string> {
    const place = { kind: leases, namespace: home, name: 'tend' }
    const lease = await getObject(kubernetes, place, signal)
    const { holderIdentity, renewTime, leaseDurationSeconds } = recordOf(lease?.['spec'])
    const age = clock.now() - Date.parse(textOf(renewTime))
    const isLive = textOf(holderIdentity) !== '' && age < Number(leaseDurationSeconds) * 1000
    if (isLive) return `${textOf(holderIdentity)}`
    const pod = await podState(line, signal)
    if (pod === undefined) throw lacking('no Tend tends this cluster', 'tend serve --kube')
    throw lacking(
      `no Tend tends this cluster: ${pod}`,
      `kubectl -n ${home} describe pod tells more`,
    )
  }

  /** One that is bad each, else all of them. */
  async function sources(): Promise<readonly Finding[]> {
    const what = 'repositories'
    const served = await discovery.find(repositories.apiVersion, repositories.kind, signal)
    if (served === undefined) throw lacking('there is no kind GitRepository')
    const { objects } = await listObjects(kubernetes, repositories, {}, signal)
    const all = objects.map(fluxObjectOf)
    const those = (status: string | undefined) =>
      all.filter((one) => !one.isSuspended && readyOf(one)['status'] === status)
    const bad = those('False').map((one) => {
      return { what, isGood: false, says: `${one.key}: ${textOf(readyOf(one)['message'])}` }
    })
    if (bad.length > 0) return bad
    const fresh = those('Unknown').length + those(undefined).length
    const words = fresh === 0 ? '' : `, ${fresh} more not yet read`
    return [{ what, isGood: true, says: `${all.length - fresh} can be reached${words}` }]
  }

  return [
    cluster,
    await found('kinds', kinds),
    await found('rights', rights),
    await found('beside Flux', async () => {
      await refuseBesideFlux(kubernetes, clock, signal)
      return "Flux's kustomize-controller is not at work"
    }),
    await found('controller', controller),
    ...(await foundAll('repositories', sources)),
  ]
}

/** Of the Deployment that an installation made; undefined: there is none. */
async function podState({ kubernetes }: Line, signal: AbortSignal): Promise<string | undefined> {
  const place = { kind: deployments, namespace: home, name: 'tend' }
  if ((await getObject(kubernetes, place, signal)) === undefined) return undefined
  const chosen = { namespace: home, labels: 'app.kubernetes.io/name=tend' }
  const { objects } = await listObjects(kubernetes, pods, chosen, signal)
  const words = objects.map((pod) => {
    const status = recordOf(pod['status'])
    const [container] = recordsOf(status['containerStatuses'])
    const { reason, message } = recordOf(recordOf(container?.['state'])['waiting'])
    const unmet = recordsOf(status['conditions']).find((one) => one['status'] === 'False')
    const why = [textOf(reason), textOf(message) || textOf(unmet?.['message'])]
    const told = why.filter((text) => text !== '').join(': ')
    return `pod ${metadataOf(pod).name} is ${textOf(status['phase'])}${told === '' ? '' : ` (${told})`}`
  })
  const all = words.length === 0 ? 'has no pod' : words.join(', ')
  return `Deployment ${home}/tend is there: ${all}`
}

async function mayI(
  { kubernetes }: Line,
  group: string,
  resource: string,
  verb: string,
  signal: AbortSignal,
): Promise<boolean> {
  const [name = '', subresource = ''] = resource.split('/')
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
  const attributes = { group, resource: name, subresource, verb }
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: attributes },
  }
  const said = await kubernetes.ask('POST', path, {
    body,
    signal,
    doing: 'could not ask for rights',
  })
  return recordOf(recordOf(said.body)['status'])['allowed'] === true
}

function lacking(message: string, suggestion = 'tend kube install'): Error {
  return new Error(`${message} (${suggestion})`)
}
