import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { driveKube } from '../testbed/kube-drive.ts'
import { fate } from '../testbed/kube-stages.ts'
import { requiredKube } from '../testbed/kube-tools.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'

const skip = requiredKube()
let kube: TestKube

before(async () => {
  if (skip !== false) return
  kube = await startKube()
  await kube.addNodes(2)
})

after(async () => {
  if (skip === false) await kube.stop()
})

function map(name: string, value: string, more = ''): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: default${more} }
data: { key: ${value} }
`
}

function deployment(name: string, image: string, more = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: default }
spec:
  replicas: 2
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: web, image: '${image}' }]${more} }
`
}

async function get(path: string): Promise<Record<string, unknown> | undefined> {
  const { status, body } = await kube.ask('GET', path)
  return status === 404 ? undefined : (body as Record<string, unknown>)
}

const maps = '/api/v1/namespaces/default/configmaps'

test('created, unchanged without a write, updated, pruned', { skip }, async (t) => {
  const driver = driveKube(kube, 'first')
  t.after(() => driver.close())
  const files = { 'a.yaml': map('a', 'value'), 'web.yaml': deployment('web', 'web:1') }
  const first = await driver.up(files)
  assert.equal(first.outcome, 'succeeded', first.text)
  assert.deepEqual((await get(`${maps}/a`))?.['data'], { key: 'value' })
  const web = await get('/apis/apps/v1/namespaces/default/deployments/web')
  assert.match(JSON.stringify(web?.['status']), /"readyReplicas":2/)

  driver.calls('PATCH')
  const second = await driver.up(files)
  assert.equal(second.outcome, 'succeeded', second.text)
  assert.deepEqual(second.plan?.unchanged.length, 2)
  // what our own apply left behind is known to be settled, save what moved since: the deployment's annotations
  assert.ok(driver.calls('PATCH') <= 1)
  await driver.up(files)
  assert.equal(driver.calls('PATCH'), 0)

  const changed = await driver.up({ ...files, 'a.yaml': map('a', 'updated-value') })
  assert.equal(changed.outcome, 'succeeded', changed.text)
  assert.deepEqual((await get(`${maps}/a`))?.['data'], { key: 'updated-value' })

  const pruned = await driver.up({ 'web.yaml': files['web.yaml'] })
  assert.equal(pruned.outcome, 'succeeded', pruned.text)
  assert.equal(await get(`${maps}/a`), undefined)
})

test('all is tried strictly before anything is applied', { skip }, async (t) => {
  const driver = driveKube(kube, 'tried')
  t.after(() => driver.close())
  const names = Array.from({ length: 40 }, (_, n) => `tried-${n}`)
  const { outcome } = await driver.up({ 'a.yaml': names.map((n) => map(n, 'x')).join('---\n') })
  assert.equal(outcome, 'succeeded')
  const writes = driver.asked().filter((line) => line.startsWith('PATCH '))
  const isTrial = (line: string) => line.includes('dryRun=All')
  assert.deepEqual(writes.map(isTrial), [...names.map(() => true), ...names.map(() => false)])
  assert.ok(writes.filter(isTrial).every((line) => line.includes('fieldValidation=Strict')))
})

test(
  'one wrong object stops the whole set, and all that is wrong is said with its place',
  { skip },
  async (t) => {
    const driver = driveKube(kube, 'wrong')
    t.after(() => driver.close())
    const files = {
      'good.yaml': map('good', 'x'),
      'typo.yaml': map('typo', 'x').replace('\ndata:', '\ndataa:'),
      'port.yaml': `apiVersion: v1
kind: Service
metadata: { name: port, namespace: default }
spec: { ports: [{ port: 99999 }] }
`,
      'lost.yaml': map('lost', 'x').replace('namespace: default', 'namespace: nowhere'),
      'kind.yaml': `apiVersion: example.com/v1
kind: Nothing
metadata: { name: x, namespace: default }
`,
    }
    const driven = await driver.up(files)
    assert.equal(driven.outcome, 'refused', driven.text)
    assert.equal(await get(`${maps}/good`), undefined)
    assert.match(driven.text, /add the Namespace to this kustomization/)
    const said = (driven.plan?.skipped ?? []).map(
      ({ problem }) => `${problem.at?.file}: ${problem.code}`,
    )
    assert.deepEqual(said.toSorted(), [
      'kind.yaml: unknown_kind',
      'lost.yaml: not_found',
      'port.yaml: bad_value',
      'typo.yaml: unknown_field',
    ])
  },
)

test(
  'a namespace and a definition of the same set come first, and what lives by them is checked before the rest',
  { skip },
  async (t) => {
    const driver = driveKube(kube, 'staged')
    t.after(() => driver.close())
    const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: gadgets, singular: gadget, kind: Gadget, listKind: GadgetList }
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: { spec: { type: object, properties: { size: { type: integer } } } }
`
    const gadget = (size: string) => `apiVersion: example.com/v1
kind: Gadget
metadata: { name: one, namespace: staged }
spec: { size: ${size} }
`
    const files = {
      'crd.yaml': definition,
      'gadget.yaml': gadget('big'),
      'late.yaml': map('late', 'x'),
      'ns.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: staged }\n',
      'inside.yaml': map('inside', 'x').replace('namespace: default', 'namespace: staged'),
    }
    const wrong = await driver.up(files)
    assert.equal(wrong.outcome, 'failed', wrong.text)
    assert.match(wrong.text, /size/)
    assert.equal(
      await get(`${maps}/late`),
      undefined,
      'what could be checked was applied before all was',
    )
    const right = await driver.up({ ...files, 'gadget.yaml': gadget('3') })
    assert.equal(right.outcome, 'succeeded', right.text)
    const one = await get('/apis/example.com/v1/namespaces/staged/gadgets/one')
    assert.deepEqual(one?.['spec'], { size: 3 })
    assert.ok(await get('/api/v1/namespaces/staged/configmaps/inside'))
  },
)

test('secrets are applied and compared, and never shown', { skip }, async (t) => {
  const driver = driveKube(kube, 'secret')
  t.after(() => driver.close())
  const secret = (password: string) => ({
    's.yaml': `apiVersion: v1
kind: Secret
metadata: { name: s, namespace: default }
stringData: { password: ${password}, user: me }
`,
  })
  const path = '/api/v1/namespaces/default/secrets/s'
  const first = await driver.up(secret('hunter2'))
  assert.equal(first.outcome, 'succeeded', first.text)
  const data = (await get(path))?.['data'] as Record<string, string>
  assert.equal(Buffer.from(data['password']!, 'base64').toString(), 'hunter2')
  const again = await driver.up(secret('hunter2'))
  assert.deepEqual(again.plan?.groups.length, 0)
  const changed = await driver.up(secret('hunter3'))
  assert.equal(changed.outcome, 'succeeded', changed.text)
  assert.deepEqual(
    changed.plan?.groups[0]?.changes.map(({ path: where }) => where),
    ['data.password'],
  )
  for (const { text } of [first, again, changed]) {
    assert.doesNotMatch(text, /hunter|aHVudGVy/)
  }
})

test('what secrets hold is judged before anything is applied', { skip }, async (t) => {
  const driver = driveKube(kube, 'judged')
  t.after(() => driver.close())
  const files = (text: string) => ({
    'pull.yaml': `apiVersion: v1
kind: Secret
metadata: { name: pull, namespace: default }
type: kubernetes.io/dockerconfigjson
stringData: { .dockerconfigjson: '${text}' }
`,
    'm.yaml': map('beside', `"${text.length}"`),
  })
  const good = await driver.up(files('{"auths":{}}'))
  assert.equal(good.outcome, 'succeeded', good.text)
  assert.deepEqual((await driver.up(files('{"auths":{}}'))).plan?.groups, [])
  const bad = await driver.up(files('hunter2'))
  assert.equal(bad.outcome, 'refused', bad.text)
  assert.match(bad.text, /pull\.yaml.*dockerconfigjson|dockerconfigjson.*pull\.yaml/)
  assert.doesNotMatch(bad.text, /hunter|aHVudGVy/)
})

test(
  'drift of our own fields is put right, and fields of others are left to them',
  { skip },
  async (t) => {
    const driver = driveKube(kube, 'drift')
    t.after(() => driver.close())
    const files = { 'd.yaml': map('d', 'value') }
    await driver.up(files)
    kube.kubectl([
      'patch',
      'configmap',
      'd',
      '--type=merge',
      '-p',
      '{"data":{"key":"other","own":"theirs"}}',
      '--field-manager=other',
    ])
    const mended = await driver.up(files)
    assert.equal(mended.outcome, 'succeeded', mended.text)
    assert.deepEqual((await get(`${maps}/d`))?.['data'], { key: 'value', own: 'theirs' })
  },
)

test(
  'a rollout whose pods can not start fails in seconds, and everything is as it was',
  { skip },
  async (t) => {
    const driver = driveKube(kube, 'back')
    t.after(() => driver.close())
    const good = { 'm.yaml': map('m', 'old'), 'app.yaml': deployment('app', 'app:1') }
    assert.equal((await driver.up(good)).outcome, 'succeeded')
    const bad = {
      'm.yaml': map('m', 'new'),
      'app.yaml': deployment('app', 'app:2').replace(
        'labels: { app: app } }\n    spec',
        `labels: { app: app }, annotations: { ${fate}: crash } }\n    spec`,
      ),
      'extra.yaml': map('extra', 'x'),
    }
    const driven = await driver.up(bad)
    assert.equal(driven.outcome, 'failed', driven.text)
    assert.match(driven.text, /CrashLoopBackOff/)
    assert.deepEqual((await get(`${maps}/m`))?.['data'], { key: 'old' })
    assert.equal(await get(`${maps}/extra`), undefined)
    const app = await get('/apis/apps/v1/namespaces/default/deployments/app')
    assert.match(JSON.stringify(app?.['spec']), /app:1/)
    assert.doesNotMatch(JSON.stringify(app?.['spec']), /crash/)
  },
)

test(
  'what may not be pruned stays, and what is immutable is replaced only when that is allowed',
  { skip },
  async (t) => {
    const driver = driveKube(kube, 'wishes')
    t.after(() => driver.close())
    const keep = ', annotations: { kustomize.toolkit.fluxcd.io/prune: disabled }'
    const force = (more: string) =>
      `apiVersion: v1
kind: ConfigMap
metadata: { name: fixed, namespace: default, annotations: { ${more} } }
immutable: true
data: { key: `
    const free = force('kustomize.toolkit.fluxcd.io/force: enabled')
    await driver.up({ 'k.yaml': map('k', 'x', keep), 'f.yaml': `${force('a: b')}one }\n` })
    const refused = await driver.up({ 'f.yaml': `${force('a: b')}two }\n` })
    assert.equal(refused.outcome, 'refused', refused.text)
    const replaced = await driver.up({ 'f.yaml': `${free}two }\n` })
    assert.equal(replaced.outcome, 'succeeded', replaced.text)
    assert.deepEqual((await get(`${maps}/fixed`))?.['data'], { key: 'two' })
    assert.ok(await get(`${maps}/k`))
  },
)
