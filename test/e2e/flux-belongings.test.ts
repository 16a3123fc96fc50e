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
