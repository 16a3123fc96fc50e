/** What is removed in the name of a set: what it made, and nothing that only bears its labels. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  configMap,
  fluxWorld,
  gitRepository,
  isReady,
  kustomization,
  maps,
  sets,
  type Fields,
  type FluxWorld,
} from '../testbed/flux-world.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'
import { waitFor } from '../testbed/serving.ts'

const skip = requiredKube([...controlPlane, 'flux'])
let world: FluxWorld

before(async () => {
  if (skip !== false) return
  world = await fluxWorld()
  world.git.commit('first', {
    'one/a.yaml': configMap('one-a', 'x'),
    'one/b.yaml': configMap('one-b', 'x'),
    'two/a.yaml': configMap('two-a', 'x'),
    'two/b.yaml': configMap('two-b', 'x'),
    'three/a.yaml': configMap('three-a', 'x'),
    'four/a.yaml': configMap('four-a', 'x'),
  })
  world.apply(gitRepository('infra', world.url))
  await world.start()
})

after(async () => {
  if (skip === false) await world.stop()
})

function signed(name: string, owner: string): string {
  const labels = {
    'kustomize.toolkit.fluxcd.io/name': owner,
    'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
  }
  const metadata: Fields = { name, namespace: 'default', labels }
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata })
}

async function there(...names: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(names.map((name) => world.get(`${maps}/${name}`)))
  return names.filter((_, index) => found[index] !== undefined)
}

function remove(name: string): void {
  world.kube.kubectl(['delete', 'kustomization', '-n', 'flux-system', name, '--timeout=60s'])
}

test('copies with its labels, and a namesake of another cluster, stay', { skip }, async () => {
  const { kube } = world
  world.apply(kustomization('one', { path: './one' }))
  await world.until(`${sets}/one`, (one) => isReady(one))
  kube.kubectl(['create', '-f', '-'], signed('copy', 'one'))
  const manager = '--field-manager=kustomize-controller'
  kube.kubectl(['apply', '--server-side', manager, '-f', '-'], signed('twin', 'one'))
  const commit = world.push('less of one', { 'one/b.yaml': null })
  await world.until(`${sets}/one`, (one) => isReady(one, commit))
  const all = ['one-a', 'one-b', 'copy', 'twin']
  assert.deepEqual(await there(...all), ['one-a', 'copy', 'twin'])
  remove('one')
  assert.deepEqual(await there(...all), ['copy', 'twin'])
})

test('what was let go while prune was off stays when it is on again', { skip }, async () => {
  world.apply(kustomization('two', { path: './two', prune: false }))
  await world.until(`${sets}/two`, (one) => isReady(one))
  const less = world.push('less of two', { 'two/b.yaml': null })
  await world.until(`${sets}/two`, (one) => isReady(one, less))
  world.apply(kustomization('two', { path: './two' }))
  const more = world.push('more of two', {
    'two/c.yaml': configMap('two-c', 'x'),
    'two/d.yaml': configMap('two-d', 'x'),
  })
  await world.until(`${sets}/two`, (one) => isReady(one, more))
  const last = world.push('less of two again', { 'two/c.yaml': null })
  await world.until(`${sets}/two`, (one) => isReady(one, last))
  assert.deepEqual(await there('two-a', 'two-b', 'two-c', 'two-d'), ['two-a', 'two-b', 'two-d'])
})

test('what one left behind is not for the next one of its name to remove', { skip }, async () => {
  world.apply(kustomization('three', { path: './three', deletionPolicy: 'Orphan' }))
  await world.until(`${sets}/three`, (one) => isReady(one))
  remove('three')
  // the server counts in whole seconds
  await sleep(1000)
  world.apply(kustomization('three', { path: './four' }))
  await world.until(`${sets}/three`, (one) => isReady(one))
  const commit = world.push('more of four', { 'four/b.yaml': configMap('four-b', 'x') })
  await world.until(`${sets}/three`, (one) => isReady(one, commit))
  const all = ['three-a', 'four-a', 'four-b']
  assert.deepEqual(await there(...all), all)
  remove('three')
  assert.deepEqual(await there(...all), ['three-a'])
})

test('an end that was refused is tried again, after a restart too', { skip }, async () => {
  const commit = world.push('five', { 'five/a.yaml': configMap('five-a', 'x') })
  world.apply(kustomization('five', { path: './five', retryInterval: '1s' }))
  await world.until(`${sets}/five`, (one) => isReady(one, commit))
  world.apply(...noDeletionOf('five-a'))
  await waitFor(async () => {
    const path = `${maps}/five-a?dryRun=All`
    return (await world.kube.ask('DELETE', path)).status >= 400
  })
  await world.serving.stop()
  world.kube.kubectl(['delete', 'kustomization', '-n', 'flux-system', 'five', '--wait=false'])
  await world.start()
  await world.until(`${sets}/five`, (one) => /not now/.test(one.status.conditions[0].message))
  world.kube.kubectl(['delete', 'validatingadmissionpolicybinding', 'no-deletion'])
  await world.until(`${sets}/five`, (one) => one === undefined)
  assert.deepEqual(await there('five-a'), [])
})

function noDeletionOf(name: string): readonly Fields[] {
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const metadata = { name: 'no-deletion' }
  const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }
  const resourceRules = [{ ...rule, operations: ['DELETE'], resourceNames: [name] }]
  const validations = [{ expression: 'false', message: 'not now' }]
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: { matchConstraints: { resourceRules }, validations },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: 'no-deletion', validationActions: ['Deny'] },
    },
  ]
}
