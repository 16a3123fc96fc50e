/** Other clusters and other rights: tenants' accounts, a cluster that a kubeconfig names, one without Flux's kinds. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  conditionOf,
  configMap,
  fluxWorld,
  gitRepository,
  isReady,
  kustomization,
  maps,
  sets,
  type Fields,
  type FluxWorld,
  type Live,
} from '../testbed/flux-world.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'
import { servingOn, waitFor } from '../testbed/serving.ts'

const skip = requiredKube([...controlPlane, 'flux'])
let world: FluxWorld
let remote: TestKube

before(async () => {
  if (skip !== false) return
  world = await fluxWorld({ isAccount: true, installWords: ['--tenants'] })
  remote = await startKube({ isBare: true })
  world.git.commit('first', {
    'app/a.yaml': configMap('a', 'value'),
    'app/b.yaml': configMap('b', 'value'),
  })
  world.apply(gitRepository('infra', world.url))
  await world.start()
})

after(async () => {
  if (skip !== false) return
  await world.stop()
  await remote.stop()
})

function account(name: string, role: string): readonly Fields[] {
  const metadata = { name, namespace: 'flux-system' }
  const subjects = [{ kind: 'ServiceAccount', ...metadata }]
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role }
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata: { name, namespace: 'default' },
      roleRef,
      subjects,
    },
  ]
}

function isFailed(object: unknown): boolean {
  return conditionOf(object, 'Ready').startsWith('False')
}

test('with tenants each set needs an account, and has its rights alone', { skip }, async () => {
  world.apply(kustomization('nobody', { path: './app' }))
  const refused = await world.until(`${sets}/nobody`, isFailed)
  assert.match(refused.status.conditions[0].message, /forbidden/i)
  world.kube.kubectl(['delete', 'kustomization', '-n', 'flux-system', 'nobody', '--timeout=60s'])
  const checked = await world.serving.tend('kube check')
  assert.equal(checked.code, 0, checked.out + checked.err)
  const spec = { path: './app', serviceAccountName: 'tenant' }
  world.apply(...account('tenant', 'edit'), kustomization('tenant', spec))
  await world.until(`${sets}/tenant`, (one) => isReady(one))
  world.kube.kubectl(['patch', 'configmap', 'a', '--type=merge', '-p', '{"data":{"key":"hand"}}'])
  await world.until(`${maps}/a`, (one) => one.data.key === 'value')
  const role =
    'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: mine }\n'
  const bad = world.push('a role', { 'app/role.yaml': role })
  const denied = await world.until(
    `${sets}/tenant`,
    (one) => isFailed(one) && one.status.lastAttemptedRevision.endsWith(bad),
  )
  assert.match(denied.status.conditions[0].message, /forbidden/i)
  const commit = world.push('less', { 'app/role.yaml': null, 'app/b.yaml': null })
  await world.until(`${sets}/tenant`, (one) => isReady(one, commit))
  assert.equal(await world.get(`${maps}/b`), undefined)
  world.kube.kubectl(['delete', 'kustomization', '-n', 'flux-system', 'tenant', '--timeout=60s'])
  assert.equal(await world.get(`${maps}/a`), undefined)
})

function kubeconfig(user: Fields, { server, ca }: TestKube = remote): string {
  const authority = Buffer.from(ca).toString('base64')
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'far',
    contexts: [{ name: 'far', context: { cluster: 'far', user: 'far' } }],
    clusters: [{ name: 'far', cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name: 'far', user }],
  })
}

function secret(value: string): Fields {
  const metadata = { name: 'far', namespace: 'flux-system' }
  return { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { value } }
}

async function far(name: string): Promise<Live> {
  const { status, body } = await remote.ask('GET', `${maps}/${name}`)
  return status === 404 ? undefined : body
}

test('a kubeconfig of a Secret leads to another cluster', { skip }, async () => {
  const kubeConfig = { secretRef: { name: 'far' } }
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'touch', args: ['/tmp/x'] }
  world.apply(secret(kubeconfig({ exec })), kustomization('far', { path: './app', kubeConfig }))
  const refused = await world.until(`${sets}/far`, isFailed)
  assert.match(refused.status.conditions[0].message, /program|exec/)
  world.apply(secret(kubeconfig({ token: remote.token })))
  await world.until(`${sets}/far`, (one) => isReady(one))
  assert.equal(await world.get(`${maps}/a`), undefined)
  assert.deepEqual((await far('a')).data, { key: 'value' })
  remote.kubectl(['patch', 'configmap', 'a', '--type=merge', '-p', '{"data":{"key":"hand"}}'])
  await waitFor(async () => (await far('a')).data.key === 'value')
  const commit = world.push('more', { 'app/c.yaml': configMap('c', 'value'), 'app/a.yaml': null })
  await world.until(`${sets}/far`, (one) => isReady(one, commit))
  assert.equal(await far('a'), undefined)
  assert.ok(!world.serving.log().includes(remote.token))
})

test('a cluster that is not to be had is not taken for this one', { skip }, async () => {
  const substituteFrom = [{ kind: 'ConfigMap', name: 'nowhere' }]
  const kubeConfig = { secretRef: { name: 'far' } }
  const lacking = { path: './app', kubeConfig, postBuild: { substituteFrom } }
  world.apply(kustomization('far', lacking))
  await world.until(`${sets}/far`, (one) => /nowhere/.test(one.status.conditions[0].message))
  remote.kubectl(['delete', 'configmap', 'c'])
  await waitFor(async () => (await far('c')) !== undefined)
  assert.equal(await world.get(`${maps}/c`), undefined)
  world.kube.kubectl(['delete', 'secret', '-n', 'flux-system', 'far'])
  world.kube.kubectl(['delete', 'kustomization', '-n', 'flux-system', 'far', '--wait=false'])
  const held = await world.until(`${sets}/far`, (one) =>
    /Removing what it made: .*far' not found/.test(one.status.conditions[0].message),
  )
  assert.match(held.status.conditions[0].message, /deletionPolicy: Orphan/)
  assert.equal(await world.get(`${maps}/c`), undefined)
  assert.notEqual(await far('c'), undefined)
  world.apply(secret(kubeconfig({ token: remote.token })))
  await world.until(`${sets}/far`, (one) => one === undefined)
  assert.equal(await far('c'), undefined)
})

test(
  "a cluster without Flux's kinds, declared in tend.yaml and told by a webhook",
  { skip },
  async (t) => {
    const second = await servingOn({ HOME: remote.root, KUBECONFIG: remote.kubeconfig })
    t.after(() => second.remove())
    const source = `sources:\n  infra: { git: ${JSON.stringify(world.url)}, ref: main }\n`
    const hooks = 'hooks:\n  - { kind: generic, open: true }\n'
    second.declare(
      `${source}${hooks}apps:\n  - { kustomization: filed, path: app, source: infra, interval: off }\n`,
    )
    await second.start(['--kube', '--listen', new URL(second.url).host])
    await second.until('kustomization:flux-system/filed', ({ state }) => state === 'synced')
    assert.deepEqual((await far('c')).data, { key: 'value' })
    world.git.commit('told', { 'app/c.yaml': configMap('c', 'told') })
    const answer = await fetch(`${second.url}/api/v1/hooks/generic`, { method: 'POST', body: '{}' })
    assert.ok(answer.ok, `${answer.status} ${await answer.text()}`)
    await waitFor(async () => (await far('c')).data.key === 'told')
    const near = kubeconfig({ token: world.kube.token }, world.kube)
    remote.kubectl(['apply', '-f', '-'], JSON.stringify(secret(near)))
    const line = (name: string, more = '') =>
      `  - { kustomization: ${name}, path: app, source: infra${more} }\n`
    const over = ', prune: true, spec: { kubeConfig: { secretRef: { name: far } } }'
    second.declare(`${source}apps:\n${line('filed')}${line('over', over)}`)
    second.signal('SIGHUP')
    await second.until('kustomization:flux-system/over', ({ state }) => state === 'synced')
    assert.notEqual(await world.get(`${maps}/c`), undefined)
    second.declare(`${source}apps:\n${line('filed')}`)
    second.signal('SIGHUP')
    await world.until(`${maps}/c`, (one) => one === undefined)
    assert.notEqual(await far('c'), undefined)
  },
)
