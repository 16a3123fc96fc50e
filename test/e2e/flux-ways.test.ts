/** How a Kustomization wants its objects treated: decrypted, forced, kept, waited for, handed over, left to others. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
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
import { deployment } from '../testbed/flux-manifests.ts'
import { fate } from '../testbed/kube-stages.ts'
import { waitFor } from '../testbed/serving.ts'
import { controlPlane, requiredKube } from '../testbed/kube-tools.ts'

const skip = requiredKube([...controlPlane, 'flux'])
const secrets = '/api/v1/namespaces/default/secrets'
const web = '/apis/apps/v1/namespaces/default/deployments'
let world: FluxWorld

type SopsCases = {
  readonly key: string
  readonly cases: readonly { readonly file: string; readonly encrypted: string }[]
}

const sops: SopsCases = JSON.parse(
  readFileSync(new URL('../conformance/cases/sops.json', import.meta.url), 'utf8'),
)
const sealed = sops.cases.find(({ file }) => file === 'secret.yaml')?.encrypted ?? ''

before(async () => {
  if (skip !== false) return
  world = await fluxWorld()
  world.git.commit('first', {
    'sealed/s.yaml': sealed,
    'part/kustomization.yaml':
      'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: part-\n',
    'plain/a.yaml': configMap('plain', 'value'),
    'strict/a.yaml': configMap('strict', '${colour}'),
    'forced/a.yaml': `${configMap('forced', 'one')}immutable: true\n`,
    'kept/a.yaml': configMap('kept', 'value').replace(
      'namespace: default',
      'namespace: default\n  annotations: { kustomize.toolkit.fluxcd.io/prune: disabled }',
    ),
    'kept/b.yaml': configMap('goes', 'value'),
    'web/web.yaml': deployment('web:1'),
    'drift/a.yaml': configMap('drift', 'declared'),
    'left/a.yaml': configMap('left', 'value'),
    'left/moves.yaml': configMap('moves', 'value'),
    'right/b.yaml': configMap('right', 'value'),
  })
  world.apply(gitRepository('infra', world.url))
  await world.start()
})

after(async () => {
  if (skip === false) await world.stop()
})

function remove(name: string): void {
  const words = ['delete', 'kustomization', '-n', 'flux-system', name, '--timeout=60s']
  world.kube.kubectl(words)
}

function isFailed(object: unknown): boolean {
  return conditionOf(object, 'Ready').startsWith('False')
}

function patch(name: string, body: Fields): void {
  world.kube.kubectl(['patch', 'configmap', name, '--type=merge', '-p', JSON.stringify(body)])
}

test('what SOPS encrypted for age is decrypted with the keys of a Secret', { skip }, async () => {
  const decryption = { provider: 'sops', secretRef: { name: 'age' } }
  const spec = { path: './sealed', targetNamespace: 'default', decryption }
  world.apply(kustomization('sealed', spec))
  const refused = await world.until(`${sets}/sealed`, isFailed)
  assert.match(refused.status.conditions[0].message, /Secret 'flux-system\/age' not found/)
  const metadata = { name: 'age', namespace: 'flux-system' }
  const stringData = { 'identity.agekey': `# a comment\n${sops.key}\n` }
  world.apply({ apiVersion: 'v1', kind: 'Secret', metadata, stringData })
  await world.until(`${sets}/sealed`, (one) => isReady(one))
  const { data } = await world.get(`${secrets}/s`)
  assert.ok(Object.keys(data).length > 0)
  assert.ok(!JSON.stringify(data).includes(Buffer.from('ENC[').toString('base64').slice(0, 5)))
})

test('components are added, and a variable that is not set is an error', { skip }, async () => {
  world.apply(kustomization('parts', { path: './plain', components: ['../part'] }))
  await world.until(`${sets}/parts`, (one) => isReady(one))
  assert.deepEqual((await world.get(`${maps}/part-plain`)).data, { key: 'value' })
  const postBuild = { substitute: { other: 'x' } }
  world.apply(kustomization('strict', { path: './strict', postBuild }))
  const refused = await world.until(`${sets}/strict`, isFailed)
  assert.match(refused.status.conditions[0].message, /colour/)
  const whole = { substitute: { colour: 'blue' } }
  world.apply(kustomization('strict', { path: './strict', postBuild: whole }))
  await world.until(`${maps}/strict`, (one) => one?.data?.key === 'blue')
})

test('force replaces what can not be changed in place', { skip }, async () => {
  world.apply(kustomization('forced', { path: './forced' }))
  await world.until(`${sets}/forced`, (one) => isReady(one))
  const before = await world.get(`${maps}/forced`)
  world.push('immutable', { 'forced/a.yaml': `${configMap('forced', 'two')}immutable: true\n` })
  const refused = await world.until(`${sets}/forced`, isFailed)
  assert.match(refused.status.conditions[0].message, /immutable/)
  world.apply(kustomization('forced', { path: './forced', force: true }))
  await world.until(`${sets}/forced`, (one) => isReady(one))
  const now = await world.get(`${maps}/forced`)
  assert.deepEqual(now.data, { key: 'two' })
  assert.notEqual(now.metadata.uid, before.metadata.uid)
})

test('what is not to be pruned stays, at the end of its set too', { skip }, async () => {
  world.apply(kustomization('kept', { path: './kept' }))
  await world.until(`${sets}/kept`, (one) => isReady(one))
  const commit = world.push('without it', {
    'kept/a.yaml': null,
    'kept/c.yaml': configMap('c', 'x'),
  })
  await world.until(`${sets}/kept`, (one) => isReady(one, commit))
  assert.deepEqual((await world.get(`${maps}/kept`)).data, { key: 'value' })
  remove('kept')
  assert.equal(await world.get(`${maps}/goes`), undefined)
  assert.deepEqual((await world.get(`${maps}/kept`)).data, { key: 'value' })
})

test('expressions say when an object is healthy', { skip }, async () => {
  const expression = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    current: "data.key == 'value'",
    failed: "data.key == 'broken'",
  }
  const spec = { path: './plain', namePrefix: 'told-', healthCheckExprs: [expression] }
  world.apply(kustomization('told', spec, { annotations: { 'tend/rollback': 'never' } }))
  await world.until(`${sets}/told`, (one) => isReady(one))
  const commit = world.push('broken', { 'plain/a.yaml': configMap('plain', 'broken') })
  const failed = await world.until(
    `${sets}/told`,
    (one) => conditionOf(one, 'Ready') === 'False HealthCheckFailed',
  )
  assert.equal(failed.status.lastAttemptedRevision, `main@sha1:${commit}`)
  // it does not go back by itself
  assert.deepEqual((await world.get(`${maps}/told-plain`)).data, { key: 'broken' })
  world.push('whole', { 'plain/a.yaml': configMap('plain', 'value') })
  await world.until(`${sets}/told`, (one) => isReady(one))
})

test(
  'manual rollback waits for a person, and drift is only flagged or ignored',
  { skip },
  async () => {
    const manual = { annotations: { 'tend/rollback': 'manual' } }
    world.apply(kustomization('web', { path: './web' }, manual))
    await world.until(`${sets}/web`, (one) => isReady(one))
    const crash = `\n      annotations: { ${fate}: crash }`
    world.push('crashes', { 'web/web.yaml': deployment('web:2', crash) })
    await world.until(
      `${sets}/web`,
      (one) => conditionOf(one, 'Ready') === 'False HealthCheckFailed',
    )
    const image = (one: Fields) => JSON.stringify(one).match(/"image":"(web:\d)"/)?.[1]
    assert.equal(image((await world.get(`${web}/web`)).spec.template), 'web:2')
    const told = await world.serving.tend('rollback kustomization/web')
    assert.equal(told.code, 0, told.out + told.err)
    await world.until(`${web}/web`, (one) => image(one.spec.template) === 'web:1')

    const flag = { annotations: { 'tend/drift': 'flag' } }
    world.apply(kustomization('drift', { path: './drift' }, flag))
    await world.until(`${sets}/drift`, (one) => isReady(one))
    patch('drift', { data: { key: 'by hand' } })
    await world.serving.until('kustomization:flux-system/drift', ({ state }) => state === 'drifted')
    assert.deepEqual((await world.get(`${maps}/drift`)).data, { key: 'by hand' })
    world.apply(
      kustomization('drift', { path: './drift' }, { annotations: { 'tend/drift': 'revert' } }),
    )
    await world.until(`${maps}/drift`, (one) => one.data.key === 'declared')
  },
)

test('a finalizer that somebody else put on an object is his', { skip }, async () => {
  world.apply(kustomization('plain', { path: './drift', namePrefix: 'own-' }))
  await world.until(`${sets}/plain`, (one) => isReady(one))
  const finalizers = ['example.com/hold']
  patch('own-drift', { metadata: { finalizers }, data: { key: 'by hand' } })
  const back = await world.until(`${maps}/own-drift`, (one) => one.data.key === 'declared')
  assert.deepEqual(back.metadata.finalizers, finalizers)
  const waits = { path: './drift', namePrefix: 'own-', deletionPolicy: 'WaitForTermination' }
  world.apply(kustomization('plain', waits))
  await world.until(`${sets}/plain`, (one) => isReady(one))
  world.kube.kubectl(['delete', 'kustomization', '-n', 'flux-system', 'plain', '--wait=false'])
  const going = await world.until(
    `${maps}/own-drift`,
    (one) => one.metadata.deletionTimestamp !== undefined,
  )
  assert.deepEqual(going.metadata.finalizers, finalizers)
  assert.notEqual(await world.get(`${sets}/plain`), undefined)
  patch('own-drift', { metadata: { finalizers: null } })
  await world.until(`${sets}/plain`, (one) => one === undefined)
  assert.equal(await world.get(`${maps}/own-drift`), undefined)
})

test('tend suspend and tend resume are written on the object', { skip }, async () => {
  world.apply(kustomization('rests', { path: './drift', namePrefix: 'rests-' }))
  await world.until(`${sets}/rests`, (one) => isReady(one))
  const told = await world.serving.tend('suspend kustomization/rests')
  assert.equal(told.code, 0, told.err)
  assert.match(told.out, /suspended/)
  assert.equal((await world.get(`${sets}/rests`)).spec.suspend, true)
  const listed = await world.flux('get kustomization rests')
  assert.match(listed.text, /rests\s+main@sha1:[0-9a-f]{8}\s+True\s+True/)
  patch('rests-drift', { data: { key: 'by hand' } })
  const resumed = await world.serving.tend('resume kustomization/rests')
  assert.equal(resumed.code, 0, resumed.err)
  assert.equal((await world.get(`${sets}/rests`)).spec.suspend, undefined)
  await world.until(`${maps}/rests-drift`, (one) => one.data.key === 'declared')
  // what flux suspended, tend resumes, and the other way round
  assert.equal((await world.flux('suspend kustomization rests')).code, 0)
  assert.equal((await world.serving.tend('resume rests')).code, 0)
  assert.equal((await world.serving.tend('suspend rests')).code, 0)
  const back = await world.flux('resume kustomization rests --timeout 1m')
  assert.equal(back.code, 0, back.text)
  await world.serving.until('kustomization:flux-system/rests', ({ state }) => state === 'synced')
})

test('two sets that declare one object alike leave it to each other', { skip }, async () => {
  const common = `apiVersion: v1\nkind: Namespace\nmetadata: { name: common }\n`
  world.push('common', { 'one/n.yaml': common, 'two/n.yaml': common })
  world.apply(kustomization('one', { path: './one' }), kustomization('two', { path: './two' }))
  await world.until(`${sets}/one`, (one) => isReady(one))
  await world.until(`${sets}/two`, (one) => isReady(one))
  const space = '/api/v1/namespaces/common'
  const owner = (one: Live) => one.metadata.labels['kustomize.toolkit.fluxcd.io/name']
  const before = await world.get(space)
  for (const name of ['one', 'two']) {
    const said = await world.flux(`reconcile kustomization ${name} --timeout 1m`)
    assert.equal(said.code, 0, said.text)
  }
  assert.equal((await world.get(space)).metadata.resourceVersion, before.metadata.resourceVersion)
  const first = owner(before) === 'one' ? 'one' : 'two'
  remove(first)
  const after = await world.until(space, (one) => owner(one) !== first)
  assert.equal(after.metadata.uid, before.metadata.uid)
  assert.equal(after.metadata.deletionTimestamp, undefined)
})

test(
  'of two sets that declare one object differently the second says who has it, and gets it when that one lets go',
  { skip },
  async () => {
    world.push('both', {
      'mine/a.yaml': configMap('both', 'mine'),
      'yours/a.yaml': configMap('both', 'yours'),
    })
    world.apply(kustomization('mine', { path: './mine' }))
    await world.until(`${sets}/mine`, (one) => isReady(one))
    const before = await world.get(`${maps}/both`)
    world.apply(kustomization('yours', { path: './yours' }))
    const refused = await world.until(`${sets}/yours`, isFailed)
    const words =
      /yours\/a\.yaml:1:1: ConfigMap default\/both is also declared by Kustomization flux-system\/mine/
    assert.match(JSON.stringify(refused), words)
    const said = await world.flux('reconcile kustomization mine --timeout 1m')
    assert.equal(said.code, 0, said.text)
    const still = await world.get(`${maps}/both`)
    assert.equal(still.metadata.resourceVersion, before.metadata.resourceVersion)
    await world.serving.stop()
    await world.start()
    const again = await world.flux('reconcile kustomization yours --timeout 10s')
    assert.notEqual(again.code, 0, again.text)
    const kept = await world.get(`${maps}/both`)
    assert.equal(kept.metadata.resourceVersion, before.metadata.resourceVersion)
    world.push('one lets go', { 'mine/a.yaml': configMap('other', 'mine') })
    await world.until(`${sets}/yours`, (one) => isReady(one))
    const after = await world.get(`${maps}/both`)
    assert.deepEqual(after.data, { key: 'yours' })
    assert.equal(after.metadata.uid, before.metadata.uid)
  },
)

test('what two sets declared goes with the last of them', { skip }, async () => {
  const shared = configMap('shared', 'value')
  world.push('shared', { 'early/a.yaml': shared, 'late/a.yaml': shared })
  world.apply(kustomization('early', { path: './early' }))
  await world.until(`${sets}/early`, (one) => isReady(one))
  world.apply(kustomization('late', { path: './late' }))
  await world.until(`${sets}/late`, (one) => isReady(one))
  // so it can take nothing over
  world.push('late is torn', { 'late/b.yaml': 'kind: [\n' })
  await world.until(`${sets}/late`, isFailed)
  remove('early')
  assert.equal((await world.get(`${maps}/shared`))?.data.key, 'value')
  remove('late')
  assert.equal(await world.get(`${maps}/shared`), undefined)
})

test('what moves from one set to another is never deleted on the way', { skip }, async () => {
  world.apply(
    kustomization('left', { path: './left' }),
    kustomization('right', { path: './right' }),
  )
  await world.until(`${sets}/left`, (one) => isReady(one))
  await world.until(`${sets}/right`, (one) => isReady(one))
  const { metadata } = await world.get(`${maps}/moves`)
  for (const [from, to] of [
    ['left', 'right'],
    ['right', 'left'],
  ] as const) {
    const commit = world.push('moves', {
      [`${from}/moves.yaml`]: null,
      [`${to}/moves.yaml`]: configMap('moves', to),
    })
    await world.until(`${sets}/${from}`, (one) => isReady(one, commit))
    await world.until(`${sets}/${to}`, (one) => isReady(one, commit))
    const moved = await world.get(`${maps}/moves`)
    assert.equal(moved.metadata.uid, metadata.uid)
    assert.equal(moved.metadata.labels['kustomize.toolkit.fluxcd.io/name'], to)
    assert.deepEqual(moved.data, { key: to })
  }
})

test('one request with its source rolls out a bad revision once', { skip }, async () => {
  world.push('once', { 'once/a.yaml': configMap('once', 'value') })
  world.apply(kustomization('once', { path: './once', timeout: '3s' }))
  await world.until(`${sets}/once`, (one) => isReady(one))
  world.git.commit('bad', { 'once/claim.yaml': claim('unmet') })
  const said = await world.flux('reconcile kustomization once --with-source --timeout 1m')
  assert.notEqual(said.code, 0, said.text)
  const tries = () => world.serving.log().match(/started app=\S+\/once trigger=\S+/g) ?? []
  assert.equal(tries().filter((text) => text.endsWith('manual')).length, 0, tries().join('\n'))
  // who asks for it alone wants another try
  const at = 'reconcile.fluxcd.io/requestedAt=again'
  const words = ['annotate', '--overwrite', '-n', 'flux-system', 'kustomization', 'once', at]
  world.kube.kubectl(words)
  await waitFor(() => tries().some((text) => text.endsWith('manual')))
  world.kube.kubectl(['delete', 'kustomization', '-n', 'flux-system', 'once', '--wait=false'])
})

function claim(name: string): string {
  return `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name}, namespace: default }
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: nobodys
  resources: { requests: { storage: 1Gi } }
`
}

test(
  'what a failed rollout brought and others may have filled stays: through repairs, and when Git goes back',
  { skip },
  async () => {
    const shop = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n'
    world.push('home', { 'home/a.yaml': configMap('home', 'value') })
    world.apply(kustomization('home', { path: './home', timeout: '5s' }))
    await world.until(`${sets}/home`, (one) => isReady(one))
    world.push('more', { 'home/claim.yaml': claim('claimed'), 'home/shop.yaml': shop })
    const isBack = (one: unknown) => conditionOf(one, 'Ready') === 'False HealthCheckFailed'
    const told = JSON.stringify(await world.until(`${sets}/home`, isBack))
    assert.match(told, /home\/claim\.yaml:1:1: PersistentVolumeClaim default\/claimed: not healthy/)
    assert.match(told, /\(spec\.timeout gives it longer\)/)
    world.kube.kubectl(['delete', 'configmap', 'home'])
    await world.until(`${maps}/home`, (one) => one?.data?.key === 'value')
    await areThere()
    world.push('back', { 'home/claim.yaml': null, 'home/shop.yaml': null })
    await world.until(`${sets}/home`, (one) => isReady(one))
    world.kube.kubectl(['delete', 'configmap', 'home'])
    await world.until(`${maps}/home`, (one) => one?.data?.key === 'value')
    await areThere()

    async function areThere(): Promise<void> {
      for (const path of [
        '/api/v1/namespaces/shop',
        '/api/v1/namespaces/default/persistentvolumeclaims/claimed',
      ]) {
        const found = await world.get(path)
        assert.ok(found !== undefined, `${path} is gone`)
        assert.equal(found.metadata.deletionTimestamp, undefined, path)
      }
    }
  },
)
