/** What an apply does to objects that others have a hand in, and what their authors' wishes change about it. */
import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import type { ApplyOptions } from '#domains/kustomizations/apply-options.ts'
import { driveKube } from '../testbed/kube-drive.ts'
import { startKubeFaults } from '../testbed/kube-faults.ts'
import { configMap, definitionText, says } from '../testbed/kube-texts.ts'
import { requiredKube } from '../testbed/kube-tools.ts'
import { startKube, type TestKube } from '../testbed/kube.ts'

const skip = requiredKube()
let kube: TestKube

before(async () => {
  if (skip === false) kube = await startKube({ isBare: true })
})

after(async () => {
  if (skip === false) await kube.stop()
})

function driver(t: TestContext, name: string, options: ApplyOptions = {}) {
  const made = driveKube(kube, name, options)
  t.after(() => made.close())
  return made
}

type Fields = Record<string, unknown>

function metadata(object: Fields | undefined): Fields {
  return (object ?? {})['metadata'] as Fields
}

async function get(path: string): Promise<Fields | undefined> {
  const { status, body } = await kube.ask('GET', path)
  return status === 404 ? undefined : (body as Fields)
}

async function map(name: string): Promise<Fields | undefined> {
  return get(`/api/v1/namespaces/default/configmaps/${name}`)
}

async function data(name: string): Promise<unknown> {
  return (await map(name))?.['data']
}

function managers(object: Fields | undefined): readonly string[] {
  const entries = metadata(object)['managedFields'] as Fields[]
  return entries
    .map(({ manager, operation }) => `${String(manager)} ${String(operation)}`)
    .toSorted()
}

function kubectlPatch(name: string, patch: unknown, manager: string): void {
  const words = ['patch', 'configmap', name, '--type=merge', '-p', JSON.stringify(patch)]
  kube.kubectl([...words, `--field-manager=${manager}`])
}

test(
  'what kubectl wrote becomes ours, and what is no longer declared of it goes',
  { skip },
  async (t) => {
    const drive = driver(t, 'takeover')
    kube.kubectl(['apply', '-f', '-'], configMap('taken', 'old, more: theirs'))
    kube.kubectl([
      'create',
      'configmap',
      'by-hand',
      '--from-literal=key=old',
      '--from-literal=more=x',
    ])
    const files = { 'a.yaml': configMap('taken', 'new'), 'b.yaml': configMap('by-hand', 'new') }
    const driven = await drive.up(files)
    assert.equal(driven.outcome, 'succeeded', driven.text)
    assert.match(JSON.stringify(driven.plan), /metadata\.managedFields/)
    assert.deepEqual(await data('taken'), { key: 'new' })
    assert.deepEqual(await data('by-hand'), { key: 'new' })
    assert.deepEqual(managers(await map('taken')), ['kustomize-controller Apply'])
    assert.doesNotMatch(JSON.stringify(await map('taken')), /last-applied-configuration/)
    drive.calls('PATCH')
    assert.deepEqual((await drive.up(files)).plan?.groups, [])
    assert.equal(drive.calls('PATCH'), 0)
    // our own writes that were no applies, too
    kubectlPatch('taken', { data: { extra: 'x' } }, 'kustomize-controller')
    await drive.up(files)
    assert.deepEqual(await data('taken'), { key: 'new' })
  },
)

test(
  'fields of others are left to them, and with ssa: Merge those of kubectl too',
  { skip },
  async (t) => {
    const drive = driver(t, 'merge')
    const merged = configMap('merged', 'x', says('ssa', 'merge'))
    await drive.up({ 'a.yaml': merged, 'b.yaml': configMap('shared', 'x') })
    kubectlPatch('merged', { data: { more: 'kubectl', key: 'other' } }, 'kubectl-edit')
    kubectlPatch('shared', { data: { more: 'other' } }, 'operator')
    const driven = await drive.up({ 'a.yaml': merged, 'b.yaml': configMap('shared', 'x') })
    assert.equal(driven.outcome, 'succeeded', driven.text)
    assert.deepEqual(await data('merged'), { key: 'x', more: 'kubectl' })
    assert.deepEqual(await data('shared'), { key: 'x', more: 'other' })
  },
)

test(
  'IfNotPresent makes it once, Ignore and reconcile: disabled never touch it, in whatever case',
  { skip },
  async (t) => {
    const drive = driver(t, 'wishes')
    const once = (value: string) => configMap('once', value, says('ssa', 'IFNOTPRESENT'))
    kube.kubectl(['create', 'configmap', 'foreign', '--from-literal=key=theirs'])
    const never = { 'n.yaml': configMap('never', 'x', says('ssa', 'Ignore')) }
    const paused = configMap(
      'foreign',
      'ours',
      `, labels: { kustomize.toolkit.fluxcd.io/reconcile: Disabled }`,
    )
    const first = await drive.up({ 'o.yaml': once('one'), ...never, 'p.yaml': paused })
    assert.equal(first.outcome, 'succeeded', first.text)
    assert.deepEqual(await data('once'), { key: 'one' })
    assert.equal(await map('never'), undefined)
    assert.deepEqual(await data('foreign'), { key: 'theirs' })
    const second = await drive.up({ 'o.yaml': once('two'), ...never, 'p.yaml': paused })
    assert.equal(second.outcome, 'succeeded', second.text)
    assert.deepEqual(await data('once'), { key: 'one' })
    // who pauses the living one pauses it
    await drive.up({ 'l.yaml': configMap('living', 'one') })
    kube.kubectl([
      'annotate',
      'configmap',
      'living',
      'kustomize.toolkit.fluxcd.io/reconcile=disabled',
    ])
    await drive.up({ 'l.yaml': configMap('living', 'two') })
    assert.deepEqual(await data('living'), { key: 'one' })
    await drive.up({ 'x.yaml': configMap('another', 'x') })
    assert.ok(await map('living'), 'it was pruned')
  },
)

test('an ignored path is left to who applies it, and else stays as it is', { skip }, async (t) => {
  const rules = [{ paths: ['/data/key'], target: { kind: 'ConfigMap', name: 'ign-.*' } }]
  const drive = driver(t, 'ignore', { ignore: rules })
  const files = (value: string) => ({
    'a.yaml': configMap('ign-applied', value),
    'b.yaml': configMap('ign-edited', value),
    'c.yaml': configMap('strict', value),
  })
  assert.equal((await drive.up(files('one'))).outcome, 'succeeded')
  assert.deepEqual(await data('ign-applied'), { key: 'one' })
  const apply = ['apply', '--server-side', '--force-conflicts', '--field-manager=scaler', '-f', '-']
  kube.kubectl(apply, configMap('ign-applied', 'scaled'))
  kubectlPatch('ign-edited', { data: { key: 'edited' } }, 'editor')
  kubectlPatch('strict', { data: { key: 'edited' } }, 'editor')
  const driven = await drive.up(files('two'))
  assert.equal(driven.outcome, 'succeeded', driven.text)
  assert.deepEqual(await data('ign-applied'), { key: 'scaled' })
  assert.deepEqual(await data('ign-edited'), { key: 'edited' })
  assert.deepEqual(await data('strict'), { key: 'two' })
  drive.calls('PATCH')
  assert.deepEqual((await drive.up(files('two'))).plan?.groups, [])
})

const fixed = (value: string, more = '') =>
  `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: binding, namespace: default${more} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${value} }
subjects: [{ kind: ServiceAccount, name: x, namespace: default }]
`

test(
  'force replaces what is really immutable, and nothing else that is refused',
  { skip },
  async (t) => {
    const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings/binding'
    const uid = async () => metadata(await get(path))['uid']
    const plain = driver(t, 'force')
    await plain.up({ 'a.yaml': fixed('one') })
    const before = await uid()
    const refused = await plain.up({ 'a.yaml': fixed('two') })
    assert.equal(refused.outcome, 'refused', refused.text)
    assert.match(refused.text, /spec\.force/)
    const forced = driver(t, 'force', { force: true })
    const invalid = await forced.up({
      'a.yaml': fixed('one').replace('kind: ServiceAccount', 'kind: Nonsense'),
    })
    assert.equal(invalid.outcome, 'refused', invalid.text)
    assert.equal(await uid(), before, 'an invalid object took the living one away')
    const replaced = await forced.up({ 'a.yaml': fixed('two') })
    assert.equal(replaced.outcome, 'succeeded', replaced.text)
    assert.notEqual(await uid(), before)
    // a secret's values are not in the dry run
    const secret = (value: string) => `apiVersion: v1
kind: Secret
metadata: { name: fixed, namespace: default }
immutable: true
stringData: { key: ${value} }
`
    await forced.up({ 'a.yaml': fixed('two'), 's.yaml': secret('one') })
    const changed = await forced.up({ 'a.yaml': fixed('two'), 's.yaml': secret('two') })
    assert.equal(changed.outcome, 'succeeded', changed.text)
    const kept = ((await get('/api/v1/namespaces/default/secrets/fixed')) ?? {})['data'] as Fields
    assert.equal(Buffer.from(String(kept['key']), 'base64').toString(), 'two')
  },
)

test(
  'a stuck finalizer is told with who holds it, and what is wanted again waits for it',
  { skip },
  async (t) => {
    const drive = driver(t, 'stuck')
    const held = configMap('held', 'x', ', finalizers: [example.com/holder]')
    await drive.up({ 'a.yaml': held, 'b.yaml': configMap('other', 'x') })
    kube.kubectl(['delete', 'configmap', 'held', '--wait=false'])
    setTimeout(() => {
      kubectlPatch('held', { metadata: { finalizers: null } }, 'holder')
    }, 1500)
    const again = await drive.up({
      'a.yaml': configMap('held', 'y'),
      'b.yaml': configMap('other', 'x'),
    })
    assert.equal(again.outcome, 'succeeded', again.text)
    assert.match(again.text, /held by its finalizers example\.com\/holder/)
    assert.deepEqual(await data('held'), { key: 'y' })
  },
)

test(
  'pruned in reverse of the order of kinds; moved to another set it stays',
  { skip },
  async (t) => {
    const drive = driver(t, 'prune')
    const account =
      'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: acc, namespace: gone }\n'
    const files = {
      'crd.yaml': definitionText('things', 'Thing'),
      'ns.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: gone }\n',
      'acc.yaml': account,
      'thing.yaml':
        'apiVersion: example.com/v1\nkind: Thing\nmetadata: { name: t, namespace: default }\n',
      'moved.yaml': configMap('moved', 'x'),
      'kept.yaml': configMap('kept', 'x'),
    }
    const first = await drive.up(files)
    assert.equal(first.outcome, 'succeeded', first.text)
    const began = /"ref":"([A-Za-z]+)[^"]*","id":"apply"[^}]*"phase":"began"/g
    const kinds = [...first.text.matchAll(began)].map(([, kind]) => kind)
    assert.deepEqual(kinds.slice(0, 2), ['CustomResourceDefinition', 'Namespace'])
    assert.equal(kinds.length, 6)
    const other = driver(t, 'another')
    await other.up({ 'moved.yaml': configMap('moved', 'y') })
    // a namespace without its controller never ends: it is not asked for here
    const rest = { 'kept.yaml': files['kept.yaml'], 'ns.yaml': files['ns.yaml'] }
    const pruned = await drive.up(rest)
    assert.equal(pruned.outcome, 'succeeded', pruned.text)
    assert.deepEqual(await data('moved'), { key: 'y' })
    const removed = [
      ...pruned.text.matchAll(
        /"id":"remove"[^}]*"words":"Removing ([A-Za-z]+) [^}]*"phase":"began"/g,
      ),
    ]
    assert.deepEqual(
      removed.map(([, kind]) => kind),
      ['Thing', 'ServiceAccount', 'CustomResourceDefinition'],
    )
  },
)

test(
  'a change that comes late, after another one wrote, is refused by the server and looked at anew',
  { skip },
  async (t) => {
    const faults = await startKubeFaults(kube)
    t.after(() => faults.stop())
    const drive = driveKube(kube, 'late', {}, faults.access)
    t.after(() => drive.close())
    const gone = { 'g.yaml': configMap('goes', 'x') }
    await drive.up({ 'a.yaml': configMap('late', 'one'), ...gone })
    const seen: unknown[] = []
    let isDeleted = false
    // between our look and our call another replica writes, as after a pause of ours
    faults.plan(({ method, path }) => {
      const isApply = method === 'PATCH' && !path.includes('dryRun') && path.includes('/late?')
      if (isApply) {
        const found: Fields = JSON.parse(kube.kubectl(['get', 'cm', 'late', '-o', 'json']))
        seen.push(found['data'])
        if (seen.length === 1) kubectlPatch('late', { data: { key: 'newer' } }, 'another')
      }
      if (method === 'DELETE' && !isDeleted) {
        isDeleted = true
        kubectlPatch('goes', { metadata: { annotations: { newer: 'yes' } } }, 'another')
      }
      return 'pass'
    })
    const driven = await drive.up({ 'a.yaml': configMap('late', 'two') })
    assert.equal(driven.outcome, 'succeeded', driven.text)
    assert.deepEqual(seen, [{ key: 'one' }, { key: 'newer' }])
    assert.match(driven.text, /"phase":"again"[^}]*"problem":\{[^}]*"conflict"/)
    assert.deepEqual(await data('late'), { key: 'two' })
    assert.ok(isDeleted)
    assert.equal(await map('goes'), undefined)
    assert.match(driven.text, /resourceVersion|ResourceVersion/i)
  },
)

test('without prune what is no longer declared stays', { skip }, async (t) => {
  const drive = driver(t, 'unpruned', { prune: false })
  await drive.up({ 'a.yaml': configMap('left', 'x'), 'b.yaml': configMap('other-left', 'x') })
  const driven = await drive.up({ 'b.yaml': configMap('other-left', 'y') })
  assert.equal(driven.outcome, 'succeeded', driven.text)
  assert.ok(await map('left'), 'it was pruned')
})

test(
  'guards: an empty render and a mass removal stop before anything goes',
  { skip },
  async (t) => {
    const drive = driver(t, 'guard')
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`m${n}.yaml`, configMap(`guard-${n}`, 'x')]),
    )
    assert.equal((await drive.up(many)).outcome, 'succeeded')
    const options = { allowEmpty: false, allowMassDelete: false }
    const much = await drive.up({ 'm0.yaml': many['m0.yaml']! }, { options })
    assert.equal(much.outcome, 'refused', much.text)
    assert.match(much.text, /would_remove_much/)
    const empty = await drive.up({ 'kustomization.yaml': 'resources: []\n' }, { options })
    assert.match(empty.text, /would_remove_all|configuration/)
    assert.equal(empty.outcome, 'refused', empty.text)
    assert.ok(await map('guard-11'))
  },
)
