import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryOf, namesIn } from '../inventory.ts'
import { nameOfObject, refOfObject, wishesOf } from '../object.ts'
import { ownEntry, partWith } from './own-fields.ts'
import { renderKustomization } from '../render/render.ts'
import { readSpec } from '../spec.ts'

test('what we applied is told from what others and the server added', () => {
  const live = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'x',
      labels: { ours: 'a', theirs: 'b' },
      managedFields: [
        {
          manager: 'kustomize-controller',
          operation: 'Apply',
          fieldsV1: {
            'f:metadata': { 'f:labels': { 'f:ours': {} }, 'f:finalizers': { 'v:"a/b"': {} } },
            'f:spec': {
              'f:replicas': {},
              'f:empty': { '.': {} },
              'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {}, 'f:name': {} } },
            },
          },
        },
        { manager: 'other', operation: 'Update', fieldsV1: { 'f:spec': { 'f:paused': {} } } },
      ],
      finalizers: ['c/d', 'a/b'],
    },
    spec: {
      replicas: 2,
      paused: true,
      empty: { theirs: 1 },
      containers: [
        { name: 'side', image: 'side:1' },
        { name: 'web', image: 'web:1', imagePullPolicy: 'Always' },
      ],
    },
  }
  assert.deepEqual(partWith(live, ownEntry(live, 'kustomize-controller') ?? {}), {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      namespace: 'default',
      labels: { ours: 'a' },
      finalizers: ['a/b'],
    },
    spec: { replicas: 2, empty: {}, containers: [{ name: 'web', image: 'web:1' }] },
  })
  assert.equal(ownEntry(live, 'nobody'), undefined)
})

test("the inventory is written and read as Flux's is", () => {
  const name = nameOfObject({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'system:web_1' },
  })
  const entry = entryOf(name)
  assert.deepEqual(entry, {
    id: '_system__web_1_rbac.authorization.k8s.io_ClusterRole',
    v: 'v1',
  })
  const core = { id: 'default_podinfo__Service', v: 'v1' }
  const read = namesIn({ entries: [entry, core, { id: 'broken' }] })
  assert.deepEqual(read[0], name)
  assert.deepEqual(read.map(refOfObject), [
    'ClusterRole.rbac.authorization.k8s.io/system:web_1',
    'Service/default/podinfo',
  ])
})

test('labels and annotations say how an object is to be treated, in any case', () => {
  const of = (key: string, value: string) =>
    wishesOf({ metadata: { annotations: { [`kustomize.toolkit.fluxcd.io/${key}`]: value } } })
  assert.deepEqual(of('prune', 'Disabled').isPruned, false)
  assert.deepEqual(of('reconcile', 'disabled').isLeftAlone, true)
  assert.deepEqual(of('ssa', 'IfNotPresent').isMadeOnce, true)
  assert.deepEqual(of('ssa', 'Merge').isMerged, true)
  assert.deepEqual(of('force', 'Enabled').isForced, true)
  assert.deepEqual(wishesOf({ metadata: {} }).isPruned, true)
})

function render(files: Readonly<Record<string, string>>) {
  return renderKustomization({
    files: {
      read: (path) => (files[path] === undefined ? undefined : Buffer.from(files[path])),
      isDirectory: (path) => path === '',
      list: () => Object.keys(files),
    },
    spec: readSpec({ interval: '1m', prune: true, sourceRef: { kind: 'GitRepository', name: 'a' } })
      .spec,
    surroundings: { variables: new Map(), ageKeys: [] },
    owner: { namespace: 'flux-system', name: 'apps' },
    revision: 'r',
    seed: new Uint8Array([1]),
  })
}

test('a render signs its objects, seals secrets and says where each came from', async () => {
  const { resources, vault, problems } = await render({
    'ns.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n',
    's.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: { name: s, namespace: a }\nstringData: { p: secret }\n',
  })
  assert.deepEqual(problems, [])
  const secret = resources.find(({ ref }) => ref === 'Secret/a/s')!
  assert.doesNotMatch(JSON.stringify(secret.spec), /secret"|c2VjcmV0/)
  assert.match(JSON.stringify(secret.spec), /"kustomize.toolkit.fluxcd.io\/name":"apps"/)
  assert.deepEqual(secret.needs, [{ ref: 'Namespace/a', until: 'exists', renew: false }])
  assert.equal(secret.origin.file, 's.yaml')
  assert.deepEqual(
    [...vault.contents().values()].map((bytes) => Buffer.from(bytes).toString()),
    ['c2VjcmV0'],
  )
})

test('a build that fails is one problem at its place', async () => {
  const { problems, isIncomplete } = await render({
    'kustomization.yaml': 'resources: [missing.yaml]\n',
  })
  assert.equal(isIncomplete, true)
  assert.deepEqual(
    [problems[0]?.type, problems[0]?.at?.file],
    ['configuration', 'kustomization.yaml'],
  )
})
