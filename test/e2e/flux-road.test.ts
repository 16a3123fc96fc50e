import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  configMap,
  fluxWorld,
  gitRepository,
  gits,
  isReady,
  kustomization,
  maps,
  sets,
  type FluxWorld,
} from '../testbed/flux-world.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'

const skip = requiredKube([...controlPlane, 'flux'])
let world: FluxWorld

before(async () => {
  if (skip !== false) return
  world = await fluxWorld()
})

after(async () => {
  if (skip === false) await world.stop()
})

test("from Flux's objects to objects in the cluster and back to statuses", { skip }, async () => {
  const { git, url, until, flux } = world
  const first = git.commit('first', { 'k8s/clusters/local/apps/a.yaml': configMap('a', 'one') })
  world.apply(gitRepository('infra', url), kustomization('apps'))
  await world.start()
  const source = await until(`${gits}/infra`, (one) => one?.status?.artifact !== undefined)
  assert.equal(source.status.artifact.revision, `main@sha1:${first}`)
  const set = await until(`${sets}/apps`, (one) => isReady(one, first))
  assert.equal(set.status.conditions[0].type, 'Ready')
  assert.equal(set.status.conditions[0].message, `Applied revision: main@sha1:${first}`)
  assert.deepEqual(set.status.inventory, { entries: [{ id: 'default_a__ConfigMap', v: 'v1' }] })
  const map = await until(`${maps}/a`, (one) => one !== undefined)
  assert.deepEqual(map.data, { key: 'one' })

  const listed = await flux('get kustomizations')
  assert.match(listed.text, /apps\s+main@sha1:[0-9a-f]{8}\s+False\s+True\s+Applied revision/)
  assert.match(
    (await flux('get sources git')).text,
    /infra\s+main@sha1:[0-9a-f]{8}\s+False\s+True\s+stored/,
  )

  const second = git.commit('second', { 'k8s/clusters/local/apps/a.yaml': configMap('a', 'two') })
  const asked = await flux('reconcile kustomization apps --with-source --timeout 1m')
  assert.equal(asked.code, 0, asked.text)
  assert.match(asked.text, new RegExp(`applied revision main@sha1:${second}`))
  assert.deepEqual((await world.get(`${maps}/a`))?.['data'], { key: 'two' })
})

test(
  'one that is deleted takes with it what it made, and one that is suspended is left alone',
  { skip },
  async () => {
    const { git, until, flux } = world
    const suspended = await flux('suspend kustomization apps')
    assert.equal(suspended.code, 0, suspended.text)
    const third = git.commit('third', { 'k8s/clusters/local/apps/a.yaml': configMap('a', 'three') })
    const asked = await flux('reconcile source git infra --timeout 1m')
    assert.equal(asked.code, 0, asked.text)
    await until(`${gits}/infra`, (one) => one.status.artifact.revision.endsWith(third))
    assert.deepEqual((await world.get(`${maps}/a`))?.['data'], { key: 'two' })
    const resumed = await flux('resume kustomization apps --timeout 1m')
    assert.equal(resumed.code, 0, resumed.text)
    await until(`${maps}/a`, (one) => one?.data?.key === 'three')
    world.kube.kubectl(['delete', 'kustomization', '-n', 'flux-system', 'apps', '--timeout=60s'])
    assert.equal(await world.get(`${maps}/a`), undefined)
  },
)
