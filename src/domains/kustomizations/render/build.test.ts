/** What a spec adds to a build: as Flux's own command line builds it, and with SOPS, which that leaves out. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { filesOf } from '../../../../test/conformance/kustomize.ts'
import { kubeTool, requiredKube } from '../../../../test/testbed/kube-tools.ts'
import { ownerLabels } from '../object.ts'
import { buildObjects } from './build.ts'
import { readSpec } from '../spec.ts'

const least = { interval: '1m', prune: true, sourceRef: { kind: 'GitRepository', name: 'x' } }

type Texts = Readonly<Record<string, string>>

async function built(files: Texts, spec: object, ageKeys: readonly string[] = []) {
  const read = readSpec({ ...least, ...spec })
  assert.deepEqual(read.problems, [])
  const surroundings = { variables: new Map([['from', 'else']]), ageKeys }
  return (await buildObjects({ files: filesOf({ files }), spec: read.spec, surroundings })).objects
}

test('a folder that is not there is told with those that are', async () => {
  const files = { 'k8s/clusters/local/a.yaml': '', 'k8s/base/b.yaml': '', 'k8s/c.yaml': '' }
  const building = (path: string) => () => built(files, { path })
  await assert.rejects(building('./k8s/cluster/local'), {
    message:
      'there is no folder k8s/cluster/local: k8s has base, clusters (did you mean k8s/clusters?)',
  })
  await assert.rejects(building('apps'), { message: 'there is no folder apps: the root has k8s' })
})

const app: Texts = {
  'app/dep.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: a, labels: { x: y } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
      - name: c
        image: nginx:1.0
        env:
        - { name: V, value: "\${v:=dflt}" }
        - { name: W, value: "\${w}" }
      - { name: d, image: "redis:6" }
`,
  'app/deep/er/cm.yml': `apiVersion: v1
kind: ConfigMap
metadata: { name: cm, annotations: { kustomize.toolkit.fluxcd.io/substitute: disabled } }
data: { a: "\${nope}" }
`,
  'app/notes.txt': 'no manifest',
  'app/own/kustomization.yaml': `namePrefix: own-
images: [{ name: nginx, newTag: "7" }]
resources: [svc.yaml]
configMapGenerator: [{ name: g, literals: [a=b] }]
`,
  'app/own/svc.yaml': `apiVersion: v1
kind: Service
metadata: { name: svc }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
`,
  'comp/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
commonAnnotations: { from: comp }
images: [{ name: redis, newTag: "7" }]
`,
}

const spec = {
  path: './app',
  targetNamespace: 'tgt',
  namePrefix: 'pre-',
  nameSuffix: '-suf',
  commonMetadata: { labels: { x: 'z', team: 'a' }, annotations: { note: 'noted' } },
  components: ['../comp', '../missing'],
  ignoreMissingComponents: true,
  images: [{ name: 'nginx', newName: 'my/nginx', newTag: '2' }],
  patches: [
    {
      patch: '- { op: replace, path: /spec/replicas, value: 5 }',
      target: { kind: 'Deployment' },
    },
    {
      patch: 'apiVersion: v1\nkind: Service\nmetadata: { name: svc }\nspec: { type: NodePort }\n',
      target: { name: 'own-svc' },
    },
  ],
  buildMetadata: ['originAnnotations'],
  postBuild: { substitute: { w: '12', unused: '1' } },
}

/** With a kustomization of its own, whose settings the spec's come over. */
const own: Texts = {
  ...app,
  'app/kustomization.yaml': `namespace: before
namePrefix: before-
images:
- { name: nginx, newName: other, digest: "sha256:abc" }
- { name: redis, newName: cache, newTag: "5" }
patches: [{ patch: "- { op: add, path: /metadata/labels, value: { own: patched } }", target: { kind: Deployment } }]
resources: [dep.yaml, own]
`,
}

const cases: readonly (readonly [string, Texts, object])[] = [
  ['a folder without a kustomization', app, spec],
  ['a kustomization of its own', own, spec],
  ['only a path', own, { path: 'app', postBuild: { substitute: { w: 'x' } } }],
  [
    'images field by field',
    own,
    {
      path: 'app',
      images: [{ name: 'redis', newTag: '9' }],
      postBuild: { substitute: { w: 'x' } },
    },
  ],
  [
    'a digest instead of a tag',
    own,
    {
      path: 'app',
      images: [{ name: 'redis', digest: 'sha256:1' }],
      postBuild: { substitute: { w: 'x' } },
    },
  ],
  [
    'substituting without variables',
    {
      'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { b: "${c:=d}" }\n',
    },
    { postBuild: { substituteStrategy: 'Always' } },
  ],
]

for (const [name, files, fields] of cases) {
  test(`as flux builds it: ${name}`, { skip: requiredKube(['flux']) }, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'tend-flux-'))
    context.after(() => rmSync(folder, { recursive: true }))
    const kustomization = {
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: { name: 'app', namespace: 'flux-system' },
      spec: { ...least, ...fields },
    }
    const root = join(folder, 'root')
    const all = { ...files, '../ks.yaml': stringify(kustomization) }
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    const path = join(root, 'path' in fields ? String(fields.path) : '.')
    const words = ['build', 'kustomization', 'app', '--path', path, '--dry-run']
    const file = ['--kustomization-file', join(folder, 'ks.yaml'), '--strict-substitute']
    const text = execFileSync(kubeTool('flux'), [...words, ...file], { encoding: 'utf8' })
    const expected = parseAllDocuments(text).map((one) => one.toJS())
    const owner = ownerLabels({ namespace: 'flux-system', name: 'app' })
    const actual = (await built(files, fields)).map(({ object }) => {
      const { metadata }: { metadata?: { labels?: object } } = object
      return { ...object, metadata: { ...metadata, labels: { ...metadata?.labels, ...owner } } }
    })
    assert.deepEqual(sorted(actual), sorted(expected.filter((one) => one !== null)))
  })
}

function sorted(objects: readonly object[]): readonly string[] {
  return objects.map((one) => stringify(one, { sortMapEntries: true })).toSorted()
}

const sops: {
  readonly key: string
  readonly cases: readonly { readonly file: string; readonly encrypted: string }[]
} = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../test/conformance/cases/sops.json'), 'utf8'),
)
const decryption = { provider: 'sops', secretRef: { name: 'keys' } }

function encrypted(file: string): string {
  return sops.cases.find((one) => one.file === file)!.encrypted
}

function words(value: unknown): string {
  return Buffer.from(String(value), 'base64').toString()
}

test('an encrypted Secret is decrypted after the build, and a prefix does not hinder it', async () => {
  const files = { 'secret.yaml': encrypted('secret.yaml') }
  const [made] = await built(files, { namePrefix: 'p-', decryption }, [sops.key])
  const { object } = made!
  assert.equal(parse(stringify(object)).metadata.name, 'p-s')
  assert.equal(parse(stringify(object)).stringData.password, 'hunter2')
  assert.equal(object['sops'], undefined)
})

test('sources of generators are decrypted by what they are called', async () => {
  const files = {
    'kustomization.yaml': `secretGenerator:
- name: all
  envs: [some.env]
  files: [some.json, some.ini, note=some.txt, .dockerconfigjson=c.json]
  options: { disableNameSuffixHash: true }
configMapGenerator:
- name: public
  files: [long.txt]
`,
    'c.json': encrypted('c.dockerconfigjson'),
    ...Object.fromEntries(
      ['some.env', 'some.json', 'some.ini', 'some.txt', 'long.txt'].map((f) => [f, encrypted(f)]),
    ),
  }
  const objects = (await built(files, { decryption }, [sops.key])).map((one) => one.object)
  const secret = parse(stringify(objects.find((one) => one['kind'] === 'Secret')))
  assert.equal(words(secret.data.B), 'two words')
  assert.match(words(secret.data['some.json']), /^\{\n\t"z": 1,/)
  assert.match(words(secret.data['some.ini']), /b = some "quoted"/)
  assert.doesNotMatch(words(secret.data.note), /ENC\[/)
  assert.deepEqual(JSON.parse(words(secret.data['.dockerconfigjson'])), {
    auths: { 'r.example': { auth: 'eDp5' } },
  })
  const map = parse(stringify(objects.find((one) => one['kind'] === 'ConfigMap')))
  assert.match(map.data['long.txt'], /ENC\[/, 'what anyone may read stays encrypted')
})

test('a file that was changed, and one for other keys, is an error at the file', async () => {
  const changed = encrypted('secret.yaml').replace('name: s\n', 'name: t\n')
  const of = (text: string, keys: readonly string[]) => () =>
    built({ 'a/secret.yaml': text }, { decryption, path: 'a' }, keys)
  await assert.rejects(
    of(changed, [sops.key]),
    /a\/secret.yaml:1: .*changed after it was encrypted/,
  )
  await assert.rejects(of(encrypted('secret.yaml'), []), /a\/secret.yaml:1: .*no age key/)
  await assert.rejects(of(encrypted('secret.yaml'), ['nonsense']), /an age key can't be read/)
})

test('what says that it is not to be decrypted stays as it is', async () => {
  const text = encrypted('secret.yaml').replace(
    '    name: s\n',
    '    name: s\n    annotations:\n        kustomize.toolkit.fluxcd.io/decrypt: Disabled\n',
  )
  const [made] = await built({ 'secret.yaml': text }, { decryption }, [])
  assert.notEqual(made!.object['sops'], undefined)
})

test('variables: those of the spec come over others, a missing one is an error at its file', async () => {
  const files = {
    'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { b: "${from}" }\n',
  }
  assert.deepEqual((await built(files, {}))[0]?.object['data'], { b: 'else' })
  const postBuild = { substitute: { from: 'spec' } }
  assert.deepEqual((await built(files, { postBuild }))[0]?.object['data'], { b: 'spec' })
  const missing = { 'a.yaml': files['a.yaml'].replace('from', 'missing') }
  await assert.rejects(() => built(missing, {}), /a\.yaml:4: the variable missing has no value/)
  const secret = { 'a.yaml': missing['a.yaml'].replace('ConfigMap', 'Secret') }
  await assert.rejects(
    () => built(secret, {}),
    (error) => error instanceof Error && !error.message.includes('missing'),
  )
})

test('a patch of the spec that fits nothing is named as such', async () => {
  const patch = 'apiVersion: v1\nkind: Service\nmetadata: { name: none }\n'
  await assert.rejects(
    () => built(app, { path: 'app', patches: [{ patch }] }),
    /patch 1 that was added/,
  )
})
