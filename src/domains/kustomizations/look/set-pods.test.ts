/** Which containers are a set's own: only those of pods that its workloads made, however far down. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kubernetesAt } from '#clients/kubernetes/client.ts'
import type { Discovery } from '#clients/kubernetes/discovery.ts'
import { startKubeStandIn } from '../../../../test/testbed/kube-stand-in.ts'
import { podContainersOf } from './set-pods.ts'

const objects: Readonly<Record<string, readonly object[]>> = {
  '/apis/apps/v1/namespaces/shop/replicasets': [
    named('web-1', { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }),
    named('other-1', { apiVersion: 'apps/v1', kind: 'Deployment', name: 'other' }),
  ],
  '/api/v1/namespaces/shop/pods': [
    pod(
      'web-1-a',
      { kind: 'ReplicaSet', apiVersion: 'apps/v1', name: 'web-1' },
      { running: {} },
      true,
    ),
    pod(
      'web-1-b',
      { kind: 'ReplicaSet', apiVersion: 'apps/v1', name: 'web-1' },
      {
        waiting: { reason: 'CrashLoopBackOff' },
      },
    ),
    pod(
      'db-0',
      { kind: 'StatefulSet', apiVersion: 'apps/v1', name: 'db' },
      {
        waiting: { reason: 'ContainerCreating' },
      },
    ),
    // of somebody else, though of the same name as one of ours in another group
    pod(
      'other-1-a',
      { kind: 'ReplicaSet', apiVersion: 'apps/v1', name: 'other-1' },
      { running: {} },
    ),
    pod('db-x', { kind: 'StatefulSet', apiVersion: 'example.org/v1', name: 'db' }, { running: {} }),
    pod('lone', undefined, { terminated: { exitCode: 0, reason: 'Completed' } }),
    pod('stray', undefined, { running: {} }),
  ],
}

test('pods of a Deployment, of a StatefulSet and one by itself, and nobody else’s', async (t) => {
  const asked: string[] = []
  const server = await startKubeStandIn((one) => {
    const path = one.path.split('?')[0] ?? ''
    asked.push(path)
    one.reply(200, { metadata: { resourceVersion: '1' }, items: objects[path] ?? [] })
  })
  const kubernetes = kubernetesAt(server.access)
  t.after(() => {
    kubernetes.close()
    server.stop()
  })
  const discovery: Pick<Discovery, 'need'> = {
    need: async (apiVersion, kind) => ({
      apiVersion,
      kind,
      group: apiVersion.split('/').at(-2) ?? '',
      version: 'v1',
      subresources: [],
      plural: `${kind.toLowerCase()}s`,
      isNamespaced: true,
      verbs: ['list'],
    }),
  }
  const refs = new Set([
    'Namespace/shop',
    'ConfigMap/shop/settings',
    'Deployment.apps/shop/web',
    'StatefulSet.apps/shop/db',
    'Pod/shop/lone',
  ])
  const found = await podContainersOf(kubernetes, discovery, refs, new AbortController().signal)
  assert.deepEqual(
    found.map(({ name, service, state, health, ref }) => [name, service, state, health, ref]),
    [
      ['shop/db-0/main', 'db', 'ContainerCreating', 'starting', 'StatefulSet.apps/shop/db'],
      ['shop/lone/main', 'lone', 'Completed', 'none', 'Pod/shop/lone'],
      ['shop/web-1-a/main', 'web', 'running', 'healthy', 'Deployment.apps/shop/web'],
      ['shop/web-1-b/main', 'web', 'CrashLoopBackOff', 'unhealthy', 'Deployment.apps/shop/web'],
    ],
  )
  // no CronJob of it is there, so no jobs are listed
  assert.deepEqual(asked.toSorted(), Object.keys(objects).toSorted())
})

function named(name: string, owner: object | undefined): object {
  const owners = owner === undefined ? {} : { ownerReferences: [owner] }
  return { metadata: { name, namespace: 'shop', ...owners } }
}

function pod(name: string, owner: object | undefined, state: object, ready = false): object {
  return {
    ...named(name, owner),
    spec: { containers: [{ name: 'main', image: 'example.org/web:1' }] },
    status: { containerStatuses: [{ name: 'main', ready, state }] },
  }
}
