import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordOf } from '#model/read-json.ts'
import { diffValue } from '#engine/diff/diff.ts'
import type { Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { isSealed, mapValue, settled, type Value } from '#model/value.ts'
import { filesOf } from '../../../test/conformance/kustomize.ts'
import { ageKey, sopsTree } from '../../../test/testbed/sops.ts'
import { renderKustomization } from './render/render.ts'
import { withoutSecrets } from './observe/live-object.ts'
import { readSpec } from './spec.ts'
import { contentOf, untold } from './taint.ts'

const least = { interval: '1m', prune: true, sourceRef: { kind: 'GitRepository', name: 'x' } }
const secret = 'hunter2-Zz9'

async function rendered(text: string, values: Readonly<Record<string, string>>, spec: object = {}) {
  return renderKustomization({
    files: filesOf({ files: { 'a.yaml': text } }),
    spec: readSpec({ ...least, ...spec }).spec,
    surroundings: {
      variables: new Map([...Object.entries(values), ['PLAIN', 'readable']]),
      secretVariables: new Set(Object.keys(values)),
      ageKeys: [],
    },
    owner: { namespace: 'apps', name: 'set' },
    revision: 'r1',
    seed: new Uint8Array([7]),
  })
}

const map = `apiVersion: v1
kind: ConfigMap
metadata: { name: m, namespace: apps, annotations: { told: "x\${WORD}y" } }
data:
  url: "http://u:\${WORD}@db/\${PLAIN}"
  part: "\${WORD:0:3}"
  length: "\${#WORD}"
  plain: "\${PLAIN}"
  port: \${PORT}
  isOn: \${ON}
  list: [a, "\${WORD}", b]
`

const values = { WORD: secret, PORT: '5432', ON: 'true' }

test('what a variable of a Secret becomes part of goes to the vault, and comes out as it was', async () => {
  const { resources, vault, problems } = await rendered(map, values)
  assert.deepEqual(problems, [])
  const [one] = resources
  const spec: Value = one?.spec ?? null
  const shown = JSON.stringify(spec)
  for (const part of [secret, '5432', 'hun"', '"11"', ':true'])
    assert.ok(!shown.includes(part), part)
  assert.match(shown, /"plain":"readable"/)
  assert.match(shown, /"list":\["a",\{"sealed":"[^}]*\},"b"\]/)
  const opened = mapValue(spec, (leaf) =>
    isSealed(leaf) ? contentOf(leaf, vault.open(leaf)) : leaf,
  )
  const plain = JSON.stringify(opened)
  assert.match(plain, /"isOn":true,"length":11,"list":\["a","hunter2-Zz9","b"\],"part":"hun"/)
  assert.match(plain, /"port":5432,"url":"http:\/\/u:hunter2-Zz9@db\/readable"/)
  assert.match(plain, /"told":"xhunter2-Zz9y"/)
})

test('another value is another spec, the same one the same', async () => {
  const specOf = async (word: string): Promise<string> =>
    JSON.stringify((await rendered(map, { ...values, WORD: word })).resources[0]?.spec)
  assert.equal(await specOf('one'), await specOf('one'))
  assert.notEqual(await specOf('one'), await specOf('two'))
})

test('what a spec of its own says comes over a Secret, and is a secret by its name alone', async () => {
  const own = { postBuild: { substitute: { WORD: 'plain-word', DB_PASSWORD: 'hidden-word' } } }
  const { resources } = await rendered(`${map}  pw: "\${DB_PASSWORD}"\n`, values, own)
  const shown = JSON.stringify(resources[0]?.spec)
  assert.match(shown, /xplain-wordy/)
  assert.doesNotMatch(shown, /hidden-word/)
})

test('a text that is no YAML with its values is refused without them', async () => {
  const { problems } = await rendered(map, { ...values, PORT: `"${secret}: [` })
  assert.equal(problems.length, 1)
  assert.doesNotMatch(JSON.stringify(problems), /hunter2/)
  assert.match(problems[0]?.message ?? '', /no YAML that can be read; some of them are secret/)
  assert.equal(problems[0]?.at?.file, 'a.yaml')
})

test('plans show neither the old nor the new value, and know whether they are equal', async () => {
  const { resources, vault } = await rendered(map, values)
  const spec: Value = resources[0]?.spec ?? null
  const plain = (content: string): Json =>
    settled(
      mapValue(spec, (leaf) => (isSealed(leaf) ? `${content}${String(vault.open(leaf))}` : '')),
    )
  const hide = (object: Json) => withoutSecrets(recordOf(object), 'salt', spec)
  const [before, after] = [hide(plain('old-')), hide(plain('new-'))]
  assert.doesNotMatch(JSON.stringify([before, after]), /old-|new-|hunter2/)
  const changes = diffValue(after, before, vault)
  assert.ok(changes.some(({ path }) => path === 'data.url'))
  assert.doesNotMatch(JSON.stringify(changes), /digest|old-|new-|hunter2/)
  assert.deepEqual(diffValue(after, hide(plain('new-')), vault), [])
})

test('a server that quotes what it refuses is told without it', async () => {
  const { resources, vault } = await rendered(map, values)
  const message = `data.url: Invalid value: "http://u:${secret}@db/readable": no`
  const told = untold(
    new Problem({ type: 'validation', code: 'bad_value', message, details: [message] }),
    resources[0]?.spec ?? null,
    (leaf) => vault.open(leaf),
  )
  assert.doesNotMatch(JSON.stringify([told.message, told.details]), /hunter2/)
  assert.match(told.message, /Invalid value: "\*{6}/)
})

async function builtWith(files: Readonly<Record<string, string>>, identity = '') {
  return renderKustomization({
    files: filesOf({ files }),
    spec: readSpec({
      ...least,
      ...(identity === '' ? {} : { decryption: { provider: 'sops', secretRef: { name: 'keys' } } }),
    }).spec,
    surroundings: { variables: new Map(), ageKeys: identity === '' ? [] : [identity] },
    owner: { namespace: 'apps', name: 'set' },
    revision: 'r1',
    seed: new Uint8Array([7]),
  })
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
      - { name: web, image: app, envFrom: [{ configMapRef: { name: plain } }] }
`
const settings = `resources: [web.yaml]
configMapGenerator: [{ name: plain, literals: [word=readable] }]
`

test('what an encrypted patch brings goes to the vault, a name by its hash stays a name', async () => {
  const key = await ageKey()
  const env = [{ name: 'DSN', value: secret }]
  const patch = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 4711, template: { spec: { containers: [{ name: 'web', env }] } } },
  }
  const map = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'plain' },
    data: { more: `${secret}-2` },
  }
  const files = {
    'web.yaml': deployment,
    'kustomization.yaml': `${settings}patches: [{ path: patch.yaml }, { path: map.yaml }]\n`,
    'patch.yaml': await sopsTree(patch, key, 'yaml'),
    'map.yaml': await sopsTree(map, key, 'yaml'),
  }
  const { resources, problems, vault } = await builtWith(files, key.identity)
  assert.deepEqual(problems, [])
  const shown = JSON.stringify(resources.map(({ spec }) => spec))
  for (const part of [secret, '4711']) assert.ok(!shown.includes(part), part)
  assert.match(shown, /"image":"app"/)
  assert.match(shown, /"word":"readable"/)
  assert.match(shown, /"configMapRef":\{"name":"plain-[a-z0-9]{10}"\}/)
  const opened = resources.map(({ spec }) =>
    mapValue(spec, (leaf) => (isSealed(leaf) ? contentOf(leaf, vault.open(leaf)) : leaf)),
  )
  assert.match(JSON.stringify(opened), /"env":\[\{"name":"DSN","value":"hunter2-Zz9"\}\]/)
  assert.match(JSON.stringify(opened), /"replicas":4711/)
})

test('where nothing can be built without an encrypted patch all of it counts as secret', async () => {
  const key = await ageKey()
  const files = {
    'kustomization.yaml': `configMapGenerator: [{ name: m, options: { disableNameSuffixHash: true }, literals: [url=none] }]
patches:
- { path: patch.yaml }
- { patch: '[{ "op": "test", "path": "/data/extra", "value": "${secret}" }]', target: { kind: ConfigMap } }
`,
    'patch.yaml': await sopsTree(
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { extra: secret } },
      key,
      'yaml',
    ),
  }
  // without the encrypted patch the second one fails: all of it counts as secret
  const { resources, problems } = await builtWith(files, key.identity)
  assert.deepEqual(problems, [])
  assert.doesNotMatch(JSON.stringify(resources), /hunter2|none/)
  const wrong = { ...files, 'kustomization.yaml': files['kustomization.yaml'].replace('9"', '8"') }
  const refused = await builtWith(wrong, key.identity)
  assert.equal(refused.problems.length, 1)
  assert.doesNotMatch(JSON.stringify(refused.problems), /hunter2-Zz9/)
})

test('what an encrypted patch that can be used for nothing holds is not told', async () => {
  const key = await ageKey()
  const files = {
    'web.yaml': deployment,
    'kustomization.yaml': `${settings}patches: [{ path: patch.yaml }]\n`,
    'patch.yaml': await sopsTree(
      { apiVersion: 'v1', kind: 'Service', metadata: { name: secret } },
      key,
      'yaml',
    ),
  }
  const { problems } = await builtWith(files, key.identity)
  assert.match(problems[0]?.message ?? '', /there is no .*\*{6} to patch/)
  assert.equal(problems[0]?.at?.file, 'patch.yaml')
  assert.doesNotMatch(JSON.stringify(problems), /hunter2/)
})

for (const [name, more] of Object.entries({
  'a replacement': `replacements:
- source: { kind: Secret, name: s, fieldPath: stringData.password }
  targets: [{ select: { kind: Deployment }, fieldPaths: [metadata.annotations.told], options: { create: true } }]
`,
  'a part that a replacement takes': `replacements:
- source: { kind: Secret, name: s, fieldPath: stringData.password, options: { delimiter: "-", index: 0 } }
  targets: [{ select: { kind: Deployment }, fieldPaths: [metadata.annotations.told], options: { create: true } }]
`,
  'a var': `vars: [{ name: WORD, objref: { apiVersion: v1, kind: Secret, name: s }, fieldref: { fieldPath: stringData.password } }]
patches: [{ patch: '[{ "op": "add", "path": "/spec/template/spec/containers/0/args", "value": ["x$(WORD)y"] }]', target: { kind: Deployment } }]
`,
})) {
  test(`what ${name} carries out of a Secret goes to the vault`, async () => {
    const files = {
      'web.yaml': deployment,
      's.yaml': `apiVersion: v1\nkind: Secret\nmetadata: { name: s }\nstringData: { password: ${secret} }\n`,
      'kustomization.yaml': `resources: [web.yaml, s.yaml]\n${more}`,
    }
    const { resources, problems } = await builtWith(files)
    assert.deepEqual(problems, [])
    const shown = JSON.stringify(resources)
    assert.doesNotMatch(shown, /hunter2/)
    assert.match(shown, /"image":"app"/)
    const part = { ...files, 'kustomization.yaml': more.replace('index: 0', 'index: 7') }
    const refused = await builtWith({
      ...part,
      'kustomization.yaml': `resources: [web.yaml, s.yaml]\n${part['kustomization.yaml']}`,
    })
    assert.doesNotMatch(JSON.stringify(refused.problems), /hunter2/)
  })
}
