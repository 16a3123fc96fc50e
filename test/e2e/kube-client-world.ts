/** What the tests of the cluster client share: a client of a test's control plane, real time, and waiting for what must come. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { kubernetesAt, type Kubernetes } from '#clients/kubernetes/client.ts'
import { discoveryOf, type Discovery } from '#clients/kubernetes/discovery.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import type { ObjectPlace } from '#clients/kubernetes/api-path.ts'
import type { Clock } from '#model/clock.ts'
import type { JsonRecord } from '#model/json.ts'
import type { TestKube } from '../testbed/kube.ts'

export const clock: Clock = {
  now: Date.now,
  random: Math.random,
  async sleep(milliseconds, signal) {
    await sleep(milliseconds, undefined, { signal })
  },
}

export const { signal } = new AbortController()

export type World = {
  readonly kubernetes: Kubernetes
  readonly discovery: Discovery
  place(apiVersion: string, kind: string, name: string, namespace?: string): Promise<ObjectPlace>
}

/** `port`: of a relay that stands before it. */
export function worldOf(kube: TestKube, port: number = kube.port): World {
  const access = findCluster(clusterSurroundings(kube.kubeconfig))
  const kubernetes = kubernetesAt({ ...access, server: `https://127.0.0.1:${port}` })
  const discovery = discoveryOf(kubernetes)
  async function place(apiVersion: string, kind: string, name: string, namespace = 'default') {
    return { kind: await discovery.need(apiVersion, kind, signal), namespace, name }
  }
  return { kubernetes, discovery, place }
}

export function configMap(name: string, data: Readonly<Record<string, string>>): JsonRecord {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data }
}

export function definition(plural: string, kind: string): JsonRecord {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } },
          },
        },
      ],
    },
  }
}

/** The user that the server takes us for. */
export async function whoAmI(kubernetes: Kubernetes): Promise<JsonRecord> {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const doing = 'could not ask who I am'
  const said = await kubernetes.ask('POST', path, { body, signal, doing })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the API documents it
  return (said.body as { status: { userInfo: JsonRecord } }).status.userInfo
}

export function pem(path: string): string {
  return readFileSync(path, 'utf8')
}
