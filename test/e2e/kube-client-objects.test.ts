import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { kubernetesAt } from '#clients/kubernetes/client.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import { listObjects } from '#clients/kubernetes/list.ts'
import {
  applyObject,
  createObject,
  deleteObject,
  getObject,
  patchObject,
  replaceObject,
} from '#clients/kubernetes/objects.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { isImmutable } from '#clients/kubernetes/problem.ts'
import { Problem, type Code } from '#model/problem.ts'
import { startRelay } from '../testbed/kube-relay.ts'
import { requiredKube } from '../testbed/kube-tools.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'
import { configMap, definition, signal, whoAmI, worldOf, type World } from './kube-client-world.ts'

const skip = requiredKube(['kube-apiserver'])
const manager = 'tend-test'
const writing = { signal, manager }
let kube: TestKube
let world: World

before(async () => {
  if (skip !== false) return
  kube = await startKube({ isBare: true })
  world = worldOf(kube)
})

after(async () => {
  if (skip !== false) return
  world.kubernetes.close()
  await kube.stop()
})

async function failing(work: Promise<unknown>, code: Code): Promise<Problem> {
  try {
    await work
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.code, code, `${error.message} ${error.details.join(' ')}`)
    return error
  }
  return assert.fail(`it went well, not ${code}`)
}

test('a certificate, a token and a program prove who we are', { skip }, async () => {
  assert.equal((await whoAmI(world.kubernetes))['username'], 'admin')
  const login = join(kube.root, 'login')
  writeFileSync(login, `#!/bin/sh\necho '{"status":{"token":"${kube.token}"}}'\n`)
  chmodSync(login, 0o755)
  const users = {
    token: `token: ${kube.token}`,
    program: `exec: { apiVersion: client.authentication.k8s.io/v1, command: ./login }`,
  }
  for (const [name, user] of Object.entries(users)) {
    const file = join(kube.root, `by-${name}`)
    writeFileSync(
      file,
      `current-context: a
contexts: [{ name: a, context: { cluster: a, user: a } }]
clusters: [{ name: a, cluster: { server: '${kube.server}', certificate-authority: pki/ca.crt } }]
users: [{ name: a, user: { ${user} } }]
`,
    )
    const other = kubernetesAt(findCluster(clusterSurroundings(file)))
    assert.equal((await whoAmI(other))['username'], 'root')
    other.close()
  }
})

test(
  'a wrong token and a wrong authority are told apart, and neither is tried again',
  { skip },
  async () => {
    const access = { ...findCluster(clusterSurroundings(kube.kubeconfig)) }
    const wrong = kubernetesAt({
      ...access,
      credential: () => Promise.resolve({ authorization: 'Bearer no' }),
    })
    assert.equal((await failing(whoAmI(wrong), 'unauthorized')).recoverable, false)
    wrong.close()
    const { ca: _, ...without } = access
    const untrusting = kubernetesAt(without)
    const problem = await failing(whoAmI(untrusting), 'unreachable')
    assert.match(problem.suggestion ?? '', /certificate-authority-data/)
    assert.equal(problem.recoverable, false)
    untrusting.close()
  },
)

test('another name has the rights of that name', { skip }, async () => {
  const groups = ['first', 'second']
  const jane = world.kubernetes.as({ user: 'jane', groups, extra: { 'example.com/why': ['test'] } })
  const who = await whoAmI(jane)
  assert.equal(who['username'], 'jane')
  assert.deepEqual(who['groups'], [...groups, 'system:authenticated'])
  assert.deepEqual(who['extra'], { 'example.com/why': ['test'] })
  const place = await world.place('v1', 'ConfigMap', 'jane')
  const problem = await failing(getObject(jane, place, signal), 'forbidden')
  assert.match(problem.message, /User "jane" cannot get resource "configmaps"/)
})

test('as a pod: the account in its files, its rights and its namespace', { skip }, async () => {
  const path = '/api/v1/namespaces/default/serviceaccounts'
  await kube.ask('POST', path, { metadata: { name: 'pod' } })
  const { body } = await kube.ask('POST', `${path}/pod/token`, { spec: {} })
  const account = join(kube.root, 'account')
  mkdirSync(account)
  const { token } = (body as { status: { token: string } }).status
  writeFileSync(join(account, 'token'), token)
  writeFileSync(join(account, 'ca.crt'), kube.ca)
  writeFileSync(join(account, 'namespace'), 'apps')
  const environment = {
    KUBERNETES_SERVICE_HOST: '127.0.0.1',
    KUBERNETES_SERVICE_PORT: `${kube.port}`,
  }
  const access = findCluster({ ...clusterSurroundings(), account, environment, home: kube.root })
  const inside = kubernetesAt(access)
  assert.equal((await whoAmI(inside))['username'], 'system:serviceaccount:default:pod')
  assert.equal(inside.namespace, 'apps')
  inside.close()
})

test(
  'what is applied is ours field by field; another manager keeps what it has unless it is taken',
  { skip },
  async () => {
    const place = await world.place('v1', 'ConfigMap', 'shared')
    const { kubernetes } = world
    const applied = await applyObject(
      kubernetes,
      place,
      configMap('shared', { a: '1', b: '1' }),
      writing,
    )
    assert.deepEqual(
      applied,
      (await kube.ask('GET', '/api/v1/namespaces/default/configmaps/shared')).body,
    )
    const other = { signal, manager: 'other' }
    const conflict = await failing(
      applyObject(kubernetes, place, configMap('shared', { a: '2' }), other),
      'conflict',
    )
    assert.match(
      `${conflict.message} ${conflict.details.join()}`,
      /conflict with "tend-test".*data\.a/s,
    )
    assert.equal(conflict.recoverable, false)
    const forced = { ...other, isForced: true }
    await applyObject(kubernetes, place, configMap('shared', { a: '2' }), forced)
    await applyObject(kubernetes, place, configMap('shared', {}), writing)
    const left = await getObject(kubernetes, place, signal)
    assert.deepEqual(left?.['data'], { a: '2' })
  },
)

test(
  'a dry run goes all the way and keeps nothing; what is wrong says which field',
  { skip },
  async () => {
    const { kubernetes } = world
    const place = await world.place('v1', 'ConfigMap', 'dry')
    const dry = { ...writing, isDryRun: true }
    const result = await applyObject(kubernetes, place, configMap('dry', { a: '1' }), dry)
    assert.deepEqual(result['data'], { a: '1' })
    assert.equal(await getObject(kubernetes, place, signal), undefined)
    const unknown = { ...configMap('dry', {}), dataa: {} }
    const problem = await failing(applyObject(kubernetes, place, unknown, dry), 'unknown_field')
    const checked = { ...writing, isChecked: true }
    await failing(applyObject(kubernetes, place, unknown, checked), 'unknown_field')
    assert.match(problem.message, /dataa/)
    assert.equal(problem.type, 'validation')
    const service = await world.place('v1', 'Service', 'web')
    const spec = { ports: [{ port: 99_999 }] }
    const wrong = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec }
    const invalid = await failing(applyObject(kubernetes, service, wrong, dry), 'bad_value')
    const told = [invalid.message, ...invalid.details].join('\n')
    assert.equal(told.split('spec.ports[0].port: Invalid value: 99999').length, 2, told)
    const nowhere = await world.place('v1', 'ConfigMap', 'dry', 'nowhere')
    const absent = { ...configMap('dry', {}), metadata: { name: 'dry', namespace: 'nowhere' } }
    const missing = await failing(applyObject(kubernetes, nowhere, absent, dry), 'not_found')
    assert.match(missing.message, /namespaces "nowhere" not found/)
  },
)

test('a field that can not change is told from one that is wrong', { skip }, async () => {
  const place = await world.place('apps/v1', 'Deployment', 'web')
  const deployment = (app: string, replicas: number) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: { containers: [{ name: 'web', image: 'web' }] },
      },
    },
  })
  const apply = (app: string, replicas: number) =>
    applyObject(world.kubernetes, place, deployment(app, replicas), writing)
  await apply('one', 1)
  assert.ok(isImmutable(await failing(apply('two', 1), 'bad_value')))
  assert.ok(!isImmutable(await failing(apply('one', -1), 'bad_value')))
  assert.ok(!isImmutable(await failing(apply('two', -1), 'bad_value')))
})

test('patches of each kind, and a status that is written apart', { skip }, async () => {
  const { kubernetes } = world
  const place = await world.place('v1', 'ConfigMap', 'patched')
  await createObject(kubernetes, place, configMap('patched', { a: '1', b: '1' }), writing)
  await failing(createObject(kubernetes, place, configMap('patched', {}), writing), 'name_taken')
  await patchObject(kubernetes, place, { kind: 'merge', body: { data: { a: null } } }, writing)
  const test = [
    { op: 'test', path: '/data/b', value: '1' },
    { op: 'add', path: '/data/c', value: '2' },
  ]
  await patchObject(kubernetes, place, { kind: 'json', body: test }, writing)
  const strategic = { kind: 'strategic', body: { data: { d: '3' } } } as const
  const patched = await patchObject(kubernetes, place, strategic, writing)
  assert.deepEqual(patched['data'], { b: '1', c: '2', d: '3' })
  const late = { ...configMap('patched', {}), metadata: { name: 'patched', resourceVersion: '1' } }
  const conflict = await failing(replaceObject(kubernetes, place, late, writing), 'conflict')
  assert.equal(conflict.recoverable, true)
  const namespace = await world.place('v1', 'Namespace', 'default')
  const condition = { type: 'Test', status: 'True', lastTransitionTime: '2030-01-01T00:00:00Z' }
  const status = { kind: 'merge', body: { status: { conditions: [condition] } } } as const
  await patchObject(kubernetes, namespace, status, { ...writing, subresource: 'status' })
  const changed = await getObject(kubernetes, namespace, signal)
  assert.deepEqual(changed?.['status'], { phase: 'Active', conditions: [condition] })
})

test(
  'only the very object that was meant is deleted, and a finalizer holds it',
  { skip },
  async () => {
    const { kubernetes } = world
    const place = await world.place('v1', 'ConfigMap', 'doomed')
    const object = configMap('doomed', {})
    const metadata = { name: 'doomed', namespace: 'default', finalizers: ['example.com/wait'] }
    const made = await applyObject(kubernetes, place, { ...object, metadata }, writing)
    const { uid } = metadataOf(made)
    await failing(deleteObject(kubernetes, place, { signal, uid: 'another' }), 'conflict')
    assert.equal(await deleteObject(kubernetes, place, { signal, uid }), 'marked')
    assert.equal(metadataOf((await getObject(kubernetes, place, signal))!).isDeleting, true)
    await applyObject(kubernetes, place, object, writing)
    assert.equal(await getObject(kubernetes, place, signal), undefined)
    assert.equal(await deleteObject(kubernetes, place, { signal, uid }), 'gone')
    await applyObject(kubernetes, place, object, writing)
    assert.equal(await deleteObject(kubernetes, place, { signal }), 'deleted')
  },
)

test(
  'a kind is used as soon as its definition is established, and unknown once it is gone',
  { skip },
  async () => {
    const { kubernetes, discovery } = world
    const crd = definition('widgets', 'Widget')
    const definitions = await world.place(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      'widgets.example.com',
    )
    assert.equal(await discovery.find('example.com/v1', 'Widget', signal), undefined)
    await applyObject(kubernetes, definitions, crd, writing)
    discovery.learn(crd)
    const place = await world.place('example.com/v1', 'Widget', 'first')
    const widget = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'first', namespace: 'default' },
      spec: { anything: { at: ['all', 1.5, null] } },
    }
    const made = await retried(() => applyObject(kubernetes, place, widget, writing))
    assert.deepEqual(made['spec'], { anything: { at: ['all', 1.5, null] } })
    const status = { kind: 'merge', body: { status: { is: 'fine' } } } as const
    await patchObject(kubernetes, place, status, { ...writing, subresource: 'status' })
    assert.deepEqual((await getObject(kubernetes, place, signal))?.['status'], { is: 'fine' })
    await deleteObject(kubernetes, definitions, { signal })
    await until(async () => {
      discovery.invalidate()
      return (await discovery.find('example.com/v1', 'Widget', signal)) === undefined
    })
    const gone = await failing(getObject(kubernetes, place, signal), 'unknown_kind')
    assert.match(gone.suggestion ?? '', /CustomResourceDefinition/)
  },
)

test('a thousand objects by pages, over one connection', { skip }, async () => {
  const relay = await startRelay(kube.port)
  const through = worldOf(kube, relay.port)
  const { kubernetes } = through
  const { kind } = await through.place('v1', 'ConfigMap', '')
  await through
    .place('v1', 'Namespace', 'many')
    .then((many) =>
      applyObject(
        kubernetes,
        many,
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'many' } },
        writing,
      ),
    )
  const names = Array.from({ length: 1000 }, (_, index) => `map-${String(index).padStart(4, '0')}`)
  const labels = { batch: 'one' }
  const make = (name: string) =>
    applyObject(
      kubernetes,
      { kind, namespace: 'many', name },
      { ...configMap(name, { name }), metadata: { name, namespace: 'many', labels } },
      writing,
    )
  const queue = [...names]
  const worker = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) await make(name)
  }
  await Promise.all(Array.from({ length: 50 }, worker))
  const selection = { labels: 'batch=one' }
  const { objects } = await listObjects(kubernetes, kind, selection, signal, 100)
  assert.deepEqual(
    objects.map((object) => metadataOf(object).name),
    names,
  )
  assert.deepEqual(objects[7]!['data'], { name: 'map-0007' })
  const light = { ...selection, namespace: 'many', isMetadataOnly: true }
  const { objects: metadata } = await listObjects(kubernetes, kind, light, signal)
  assert.equal(metadata.length, 1000)
  assert.deepEqual([metadata[0]!['kind'], metadata[0]!['data']], ['ConfigMap', undefined])
  assert.equal(relay.open(), 1)
  kubernetes.close()
  relay.stop()
})

/** As the engine does: what may pass is tried again. */
async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Problem) || !error.recoverable || tries > 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 50) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.fail('it never came')
}
