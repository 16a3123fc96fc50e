/** Beside others: Flux's controllers, another Tend, and what Flux left behind. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fluxWorld, type FluxWorld } from '../testbed/flux-world.ts'
import {
  configMap,
  gitRepository,
  gits,
  isReady,
  kustomization,
  maps,
  sets,
} from '../testbed/flux-world.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'
import { servingOn, waitFor } from '../testbed/serving.ts'

const skip = requiredKube([...controlPlane, 'flux'])
const leases = '/apis/coordination.k8s.io/v1/namespaces/flux-system/leases'
let world: FluxWorld

before(async () => {
  if (skip === false) world = await fluxWorld()
})

after(async () => {
  if (skip === false) await world.stop()
})

function lease(name: string, holder: string, at: number): unknown {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'flux-system' },
    spec: {
      holderIdentity: holder,
      leaseDurationSeconds: 35,
      renewTime: new Date(at).toISOString().replace('Z', '000Z'),
    },
  }
}

test("does not start while Flux's controllers are at work", { skip }, async () => {
  const name = 'kustomize-controller-leader-election'
  world.apply(lease(name, 'kustomize-controller-abc', Date.now()))
  await assert.rejects(world.start(), /Flux's kustomize-controller is at work/)
  world.apply(lease(name, 'kustomize-controller-abc', Date.now() - 120_000))
})

test('takes over what Flux managed with no delete and no change', { skip }, async () => {
  const commit = world.git.commit('first', { 'k8s/clusters/local/a.yaml': configMap('a', 'one') })
  const finalizers = ['finalizers.fluxcd.io']
  world.apply(gitRepository('infra', world.url), kustomization('apps', {}, { finalizers }))
  // as kustomize-controller left it: applied by its field manager, signed, in the inventory
  const labels = {
    'kustomize.toolkit.fluxcd.io/name': 'apps',
    'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
  }
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'default', labels },
    data: { key: 'one' },
  }
  const manager = ['--server-side', '--field-manager=kustomize-controller']
  world.kube.kubectl(['apply', ...manager, '-f', '-'], JSON.stringify(object))
  const status = {
    conditions: [],
    inventory: { entries: [{ id: 'default_a__ConfigMap', v: 'v1' }] },
    lastAppliedRevision: `main@sha1:${commit}`,
  }
  const patch = ['--subresource=status', '--type=merge', '-p', JSON.stringify({ status })]
  world.kube.kubectl(['patch', 'kustomization', '-n', 'flux-system', 'apps', ...patch])
  const before = await world.get(`${maps}/a`)
  await world.start()
  await world.until(`${sets}/apps`, (one) => isReady(one, commit))
  const now = await world.get(`${maps}/a`)
  assert.equal(now.metadata.uid, before.metadata.uid)
  assert.equal(now.metadata.resourceVersion, before.metadata.resourceVersion)
})

test('a second Tend waits until the first one ends, and goes on from there', { skip }, async () => {
  const second = await servingOn({ HOME: world.kube.root, KUBECONFIG: world.kube.kubeconfig })
  try {
    const starting = second.start(['--kube', '--listen', new URL(second.url).host])
    await waitFor(() => second.log().includes('waits for who tends this cluster'))
    const held = await world.get(`${leases}/tend`)
    assert.equal(await world.serving.stop(), 0)
    await starting
    const commit = world.push('second', { 'k8s/clusters/local/a.yaml': configMap('a', 'two') })
    await world.until(`${sets}/apps`, (one) => isReady(one, commit))
    assert.deepEqual((await world.get(`${maps}/a`)).data, { key: 'two' })
    const now = await world.get(`${leases}/tend`)
    assert.notEqual(now.spec.holderIdentity, held.spec.holderIdentity)
    assert.equal(now.spec.leaseTransitions, held.spec.leaseTransitions + 1)
    assert.ok((await world.get(`${gits}/infra`)).status.artifact.revision.endsWith(commit))
  } finally {
    await second.remove()
  }
})
