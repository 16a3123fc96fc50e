/** What a chart made for Helm may hold is done, or refused with the place and with what to do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChartInput, ValueLayer } from './chart-input.ts'
import { renderChart } from './render/render.ts'
import { input, manifest } from '../../../test/fake/chart.ts'

const web = manifest('CuteContainer', 'web', 'image: nginx')
const base = { 'templates/web.yaml': web }

function told(
  files: Readonly<Record<string, string>>,
  more: Partial<ChartInput> = {},
): readonly string[] {
  const { problems } = renderChart({ ...input({ ...base, ...files }), ...more })
  return problems.map(({ at, message, suggestion }) => {
    assert.ok(suggestion !== undefined, `no suggestion: ${message}`)
    return `${at === undefined ? '' : `${at.file}:${at.line}:${at.column} `}${message} (${suggestion})`
  })
}

function set(text: string): readonly ValueLayer[] {
  return [{ kind: 'set', text }]
}

const child = {
  'charts/db/Chart.yaml': 'name: db\nversion: 1.2.0\n',
  'charts/db/values.yaml': 'port: 5432\n',
  'charts/db/templates/db.yaml': manifest(
    'CuteContainer',
    '{{ .Release.Name }}-db',
    'image: pg:{{ .Values.port }}',
  ),
}
const asked = (line: string): Readonly<Record<string, string>> => ({
  'Chart.yaml': `name: my-app\nversion: 1.0.0\ndependencies:\n  - ${line}\n`,
})

test('a subchart brings its resources, with places in its own files', () => {
  const { resources } = renderChart({ ...input({ ...base, ...child }), layers: set('db.port=1') })
  assert.deepEqual(
    resources.map(({ ref, origin }) => `${ref} ${origin.file}`),
    ['container/web templates/web.yaml', 'container/my-app-db charts/db/templates/db.yaml'],
  )
  assert.deepEqual(
    told({
      ...child,
      'charts/db/templates/db.yaml': web.replace('web', 'db').replace('image', 'imgae'),
    }),
    [
      'charts/db/templates/db.yaml:5:1 spec.image: is required, but missing (add it; see: tend schema CuteContainer)',
      'charts/db/templates/db.yaml:6:3 spec.imgae: unknown field (did you mean image?)',
    ],
  )
})

test('a dependency that is not there, or of another version, is refused', () => {
  const path = 'Chart.yaml:4:5'
  assert.deepEqual(
    told(asked('{name: db, version: 1.x, repository: "https://charts.example.org"}')),
    [
      `${path} the dependency db is not in charts/db; https://charts.example.org is not asked (put it there: helm pull, then unpack it into charts/db)`,
    ],
  )
  assert.deepEqual(told(asked('{name: db, repository: "file://../db"}')), [
    `${path} the dependency db is not in charts/db; file://../db is not asked (copy it there: cp -r ../db charts/db)`,
  ])
  assert.deepEqual(told({ ...asked('{name: db, version: ^2}'), ...child }), [
    `${path} the dependency db is to have version ^2, and charts/db has 1.2.0 (put a version that fits into charts/db, or change the version here)`,
  ])
  const off = {
    ...asked('{name: db, condition: db.enabled}'),
    'values.yaml': 'db: {enabled: false}\n',
  }
  assert.deepEqual(told(off), [])
})

test('what Helm would unpack, install or read of old is refused', () => {
  assert.deepEqual(
    told({
      'charts/db-1.0.0.tgz': 'x',
      'crds/a.yaml': 'kind: CustomResourceDefinition\n',
      'requirements.yaml': 'dependencies: []\n',
    }),
    [
      'charts/db-1.0.0.tgz:1:1 a packed subchart is not unpacked (unpack it: tar -xzf charts/db-1.0.0.tgz -C charts, and remove the archive)',
      'crds/a.yaml:1:1 custom resource definitions are for Kubernetes; Podman has no such thing (remove the folder crds, or name it in .helmignore)',
      'requirements.yaml:1:1 requirements.yaml is of Helm 2, and is not read (move its dependencies: into Chart.yaml and remove the file)',
    ],
  )
})

test('Chart.yaml: a version that is none, an unknown type, a Kubernetes that will never be, a library', () => {
  const chart = (line: string) => told({ 'Chart.yaml': `name: my-app\n${line}\n` })
  assert.deepEqual(chart('version: banana'), [
    'Chart.yaml:2:10 version: "banana" is not a version (write it as 1.2.3)',
  ])
  assert.deepEqual(chart('version: 1.0.0\ntype: libary'), [
    'Chart.yaml:3:7 type: "libary" is not known (write application or library)',
  ])
  assert.deepEqual(chart('version: 1.0.0\nkubeVersion: ">=1.99.0"'), [
    'Chart.yaml:3:14 kubeVersion: >=1.99.0 does not fit v1.37.0, which templates see (take the line away: nothing of this chart runs on Kubernetes)',
  ])
  assert.deepEqual(chart('version: 1.0.0\ntype: library'), [
    'there are no templates (.yaml, .yml) in ./my-app/templates (put the manifests of the chart into templates/)',
    'Chart.yaml:3:7 a library can only be a part of another chart (put it into charts/ of the chart that uses it, or write type: application)',
  ])
})

test('hooks are refused, each with what to do instead', () => {
  const hooked = (line: string) =>
    told({
      'templates/web.yaml': web.replace('  name: web', `  name: web\n  annotations:\n    ${line}`),
    })
  assert.deepEqual(hooked('helm.sh/hook: pre-install'), [
    'templates/web.yaml:6:5 metadata.annotations.helm.sh/hook: the hook pre-install is not run as one (without this line it runs like any other; what is to wait for it says dependsOn: [{name: …, condition: completed}])',
  ])
  assert.match(hooked('helm.sh/hook: test')[0] ?? '', /take the file out of templates/)
  assert.match(hooked('helm.sh/hook-weight: "1"')[0] ?? '', /there are no hooks here/)
  assert.match(hooked('helm.sh/resource-policy: keep')[0] ?? '', /only volumes are kept/)
  assert.deepEqual(hooked('example.org/note: x'), [])
})

const images: readonly (readonly [string, string | undefined])[] = [
  ['nginx', undefined],
  ['localhost/mv:latest', undefined],
  ['docker.io/library/busybox:1.36', undefined],
  ['registry.example.org:5000/a/b_c/d--e.f:V1.2-x_y', undefined],
  ['quay.io/x@sha256:' + 'a'.repeat(64), undefined],
  ['quay.io/x:1@sha256:' + 'a'.repeat(64), undefined],
  ['[::1]:5000/x', undefined],
  ['oci-archive:/tmp/x.tar', undefined],
  ['no such image:1:2', 'there is a space in it'],
  ['a:1:2', '"1:2" is no tag'],
  ['Nginx', '"Nginx" has capital letters'],
  ['a//b', '"" is no part of a name'],
  ['a@sha256:12', 'behind @ stands a digest'],
  ['https://example.org/x', 'is no host of a registry'],
  ['a:', '"" is no tag'],
]
for (const [image, wrong] of images) {
  test(`the image ${image.slice(0, 40)} is ${wrong === undefined ? 'taken' : 'refused'}`, () => {
    const found = told({ 'templates/web.yaml': web.replace('nginx', JSON.stringify(image)) })
    if (wrong === undefined) assert.deepEqual(found, [])
    else {
      assert.ok(found[0]?.startsWith('templates/web.yaml:6:10 spec.image: '), found[0])
      assert.ok(found[0]?.includes(wrong), found[0])
    }
  })
}

const schema = JSON.stringify({
  properties: { port: { type: 'integer' }, db: { properties: { user: { minLength: 1 } } } },
  required: ['port'],
  additionalProperties: false,
})

test('values.schema.json: each fault has the place of the value, whoever set it', () => {
  const files = { 'values.schema.json': schema, 'values.yaml': 'port: 80\ndb:\n  user: me\n' }
  const file = (text: string): readonly ValueLayer[] => [{ kind: 'file', name: 'prod.yaml', text }]
  assert.deepEqual(told(files), [])
  assert.deepEqual(told({ ...files, 'values.yaml': 'db:\n  user: ""\nport: x\nprot: 1\n' }), [
    'values.yaml:2:9 db.user: must not be empty (values.schema.json says so)',
    'values.yaml:3:7 port: expected an integer, found a string (values.schema.json says so)',
    'values.yaml:4:1 prot is not known here (did you mean port?)',
  ])
  assert.deepEqual(told(files, { layers: file('a: 1\n') }).slice(0, 1), [
    'prod.yaml:1:1 a is not known here (values.schema.json says so)',
  ])
  assert.deepEqual(told(files, { layers: file('# x\nport: "80"\n') }), [
    'prod.yaml:2:7 port: expected an integer, found a string (values.schema.json says so)',
  ])
  assert.deepEqual(told(files, { layers: set('port=x') }), [
    '--set: port: expected an integer, found a string (values.schema.json says so)',
  ])
  assert.deepEqual(told(files, { layers: [...file('port: "80"\n'), ...set('port=x')] }), [
    '--set: port: expected an integer, found a string (values.schema.json says so)',
  ])
  assert.deepEqual(told(files, { layers: set('port=null') }), [
    'values.yaml:1:1 port is required, but missing (set it in a file of values or with --set port=…; values.schema.json asks for it)',
  ])
})

test('values.schema.json of a subchart holds for its values, wherever they were set', () => {
  const files = {
    ...child,
    'charts/db/values.schema.json': '{"properties": {"port": {"type": "integer"}}}',
  }
  assert.deepEqual(told({ ...files, 'values.yaml': 'db:\n  port: x\n' }), [
    'values.yaml:2:9 db.port: expected an integer, found a string (charts/db/values.schema.json says so)',
  ])
  assert.deepEqual(told({ ...files, 'charts/db/values.yaml': 'port: x\n' }), [
    'charts/db/values.yaml:1:7 db.port: expected an integer, found a string (charts/db/values.schema.json says so)',
  ])
})

test('a schema that can not be used is told with its place', () => {
  assert.match(
    told({ 'values.schema.json': '{\n  "type": \n' })[0] ?? '',
    /^values\.schema\.json:\d+:\d+ the schema is not JSON/,
  )
  const elsewhere = '{\n "properties": {\n  "a": {"$ref": "https://example.org/x.json"}}}'
  assert.deepEqual(told({ 'values.schema.json': elsewhere, 'values.yaml': 'a: 1\n' }), [
    'values.schema.json:3:17 the reference "https://example.org/x.json" is outside this file, and nothing is fetched (write it as a JSON Schema of draft 7 or 2020-12, with references inside the file)',
  ])
})

test('NOTES.txt is rendered for people, and shows no secret', () => {
  const secret = manifest('CuteSecret', 'key', 'stringData: {token: "{{ .Values.token }}"}')
  const { message, resources } = renderChart({
    ...input({
      ...base,
      'templates/secret.yaml': secret,
      'templates/NOTES.txt': '{{ .Release.Name }} {{ .Values.token }} {{ .Values.nothing }}!\n',
      'charts/db/templates/NOTES.txt': 'of the child',
    }),
    layers: set('token=hunter22'),
  })
  assert.equal(message, 'my-app ****** !\n')
  assert.equal(resources.length, 2)
})

test('an error inside include names who called it, innermost first', () => {
  const files = {
    'templates/_h.tpl':
      '{{ define "a" }}\n{{ include "b" . }}{{ end }}{{ define "b" }}{{ .Values.x.y.z }}{{ end }}',
    'templates/web.yaml': `${web}  args: [{{ include "a" . }}]\n`,
  }
  const [line = ''] = told(files)
  assert.match(line, /^templates\/_h\.tpl:2:\d+ executing "b" at <\.Values\.x\.y\.z>: nil pointer/)
  assert.match(
    line,
    /\(called by include "b" \. at templates\/_h\.tpl:2:4\) \(called by include "a" \. at templates\/web\.yaml:7:13\)/,
  )
})

test('what failed is shown as far as it was rendered, with the error behind the line', () => {
  const broken = `${web}  args: [{{ fail "stop" }}]\n`
  const bad = 'a: 1\n b: [\nc: secret\n'
  const { manifests } = renderChart(
    input({ 'templates/web.yaml': broken, 'templates/x.yaml': bad }),
  )
  assert.deepEqual(
    manifests.map(({ path, text, faults }) => [
      path,
      text.split('\n').length,
      faults.map(({ line }) => line),
    ]),
    [
      ['templates/web.yaml', 7, [7]],
      ['templates/x.yaml', 4, [1, 1, 3]],
    ],
  )
  assert.match(manifests[0]?.faults[0]?.text ?? '', /^templates\/web\.yaml:7:13 .*stop/)
})

test('a text that is no YAML shows no secret all the same', () => {
  const text =
    'kind: CuteSecret\nspec:\n  stringData:\n    a: hunter22\n    b: |\n      hunter23\n  data: {c: hunter24}\nenv:\n  - name: DB_PASSWORD\n    value: hunter25\n  - {name: X_TOKEN, value: hunter26}\npassword: hunter27\nurl: http://u:hunter28@x\n[\n'
  const { manifests } = renderChart(input({ 'templates/x.yaml': text }))
  assert.doesNotMatch(manifests[0]?.text ?? '', /hunter/)
  assert.match(manifests[0]?.text ?? '', /kind: CuteSecret/)
})

test('a file that is asked for in vain, and one that is not rendered, are told', () => {
  const { notes, warnings } = renderChart(
    input({
      'templates/web.yaml': `${web}# {{ .Files.Get "no.txt" }}\n`,
      'templates/x.json': '{}',
    }),
  )
  assert.deepEqual(notes, [
    '.Files.Get: there is no file no.txt in the chart; it counts as empty, as in Helm',
  ])
  assert.deepEqual(warnings, [
    'templates/x.json is not rendered: manifests end in .yaml or .yml, definitions in .tpl',
  ])
})
