/** Whole charts, rendered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directoryTree } from '#sources/directory.ts'
import { renderChart } from './render.ts'
import type { Value } from '#model/value.ts'
import type { ChartInput } from '../chart-input.ts'
import { isRecord } from '#model/json.ts'
import { input, manifest } from '../../../../test/fake/chart.ts'

test('examples/hello renders without a problem or warning', () => {
  const rendered = renderChart({ ...input({}), tree: directoryTree('examples/hello') })
  assert.deepEqual(rendered.problems, [])
  assert.deepEqual(rendered.warnings, [])
  assert.equal(rendered.isIncomplete, false)
  assert.deepEqual(rendered.resources.map((resource) => resource.ref).toSorted(), [
    'container/door',
    'container/speaker',
    'network/hello-network',
    'secret/words',
    'volume/pages',
  ])
  assert.deepEqual(rendered.chart.name, 'hello')
})

function specOf(chart: ChartInput, ref: string): { readonly [key: string]: Value } {
  const rendered = renderChart(chart)
  assert.deepEqual(rendered.problems, [])
  const spec = rendered.resources.find((resource) => resource.ref === ref)?.spec
  return isRecord<Value>(spec) ? spec : {}
}

function chart(...documents: readonly string[]): ChartInput {
  return input({ 'templates/all.yaml': documents.join('---\n') })
}

test('templates see values, release, chart and their own name, and integers as integers', () => {
  const text = manifest(
    'CuteContainer',
    '{{ .Release.Name }}-{{ .Release.Namespace }}',
    [
      'image: "{{ .Chart.Name }}:{{ .Chart.AppVersion }}-{{ .Values.million }}"',
      'args:',
      '  - "{{ .Template.Name }}"',
      '  - "{{ .Template.BasePath }}"',
      '  - "{{ .Chart.Version }} {{ .Chart.Description }}"',
      '  - "{{ .Release.Service }}"',
    ].join('\n'),
  )
  const files = {
    'Chart.yaml': 'name: app\nversion: 1.10\ndescription: it\nappVersion: "9"\n',
    'values.yaml': 'million: 1000000\n',
    'templates/deep/a.yaml': text,
  }
  const spec = specOf({ ...input(files), namespace: 'ns' }, 'container/app-ns')
  assert.equal(spec['image'], 'app:9-1000000')
  assert.equal(spec['object'], 'ns-app-ns')
  assert.deepEqual(spec['args'], ['app/templates/deep/a.yaml', 'app/templates', '1.10 it', 'Tend'])
})

test('chart.yaml and a missing version are tolerated, with a warning', () => {
  const files = { 'chart.yaml': 'name: app\n', 'templates/a.yaml': '# nothing\n' }
  const { tree } = input(files)
  const lower = {
    ...tree,
    read: (path: string) => (path === 'Chart.yaml' ? undefined : tree.read(path)),
  }
  const { warnings, problems, version } = renderChart({ ...input(files), tree: lower })
  assert.deepEqual(problems, [])
  assert.deepEqual(warnings, [
    'chart.yaml should be named Chart.yaml',
    'Chart.yaml has no version; 0.0.0 is used',
  ])
  assert.equal(version, '0.0.0')
})

test('an unknown apiVersion is a warning with its place', () => {
  const text = manifest('CuteNetwork', 'n', 'driver: bridge').replace('cutepod/v1alpha0', 'apps/v1')
  assert.deepEqual(renderChart(chart(text)).warnings, [
    'templates/all.yaml:1:1 apiVersion of this CuteNetwork "apps/v1" is not known; known: cutepod/v1alpha0, cutepod/v1alpha1, cutepod.io/v1',
  ])
})

test('a file that only defines is no manifest, and empty documents are none', () => {
  const files = {
    'templates/_a.tpl': '{{ define "x" }}driver: bridge{{ end }}not YAML: at: all',
    'templates/b.tpl': 'not: YAML: either',
    'templates/NOTES.txt': 'hello',
    'templates/n.yml': `---\n# nothing\n---\n${manifest('CuteNetwork', 'n', '{{ template "x" }}')}---\n`,
  }
  assert.deepEqual(specOf(input(files), 'network/n'), { object: 'n', driver: 'bridge' })
})

test('every spelling of a restart policy', () => {
  const spellings = [
    ['Always', 'always'],
    ['always', 'always'],
    ['OnFailure', 'on-failure'],
    ['on-failure', 'on-failure'],
    ['Never', 'no'],
    ['no', 'no'],
    ['false', 'no'],
    ['unless-stopped', 'unless-stopped'],
  ] as const
  for (const [written, policy] of spellings) {
    const text = manifest('CuteContainer', 'c', `image: i\nrestartPolicy: ${written}`)
    assert.equal(specOf(chart(text), 'container/c')['restartPolicy'], policy)
  }
  const none = specOf(chart(manifest('CuteContainer', 'c', 'image: i')), 'container/c')
  assert.equal(none['restartPolicy'], 'no')
})

test('every spelling of a volume', () => {
  const spellings: readonly (readonly [string, Value])[] = [
    ['type: bind\nhostPath: /x/', { kind: 'host', path: '/x', type: 'DirectoryOrCreate' }],
    ['hostPath: {path: /x, type: File}', { kind: 'host', path: '/x', type: 'File' }],
    ['type: volume', { kind: 'named', driver: 'local', isEphemeral: false }],
    [
      'driver: nfs\noptions: {a: 1}',
      { kind: 'named', driver: 'nfs', options: { a: '1' }, isEphemeral: false },
    ],
    ['volume: {}', { kind: 'named', driver: 'local', isEphemeral: false }],
    ['emptyDir: {}', { kind: 'named', driver: 'local', isEphemeral: true }],
    ['emptyDir: {medium: Memory, sizeLimit: 1024Ki}', { kind: 'memory', size: '1Mi' }],
    [
      'emptyDir: {medium: Memory}\nsecurityContext: {owner: {user: 5}}',
      {
        kind: 'named',
        driver: 'local',
        options: { device: 'tmpfs', type: 'tmpfs' },
        isEphemeral: true,
      },
    ],
  ]
  for (const [spec, from] of spellings) {
    assert.deepEqual(specOf(chart(manifest('CuteVolume', 'v', spec)), 'volume/v')['from'], from)
  }
  const bare = 'apiVersion: cutepod/v1alpha0\nkind: CuteVolume\nmetadata: {name: v}\n'
  assert.deepEqual(specOf(chart(bare), 'volume/v')['object'], 'v')
})

test('one name may be of several kinds', () => {
  const documents = [
    manifest('CuteNetwork', 'web', 'driver: bridge'),
    manifest('CuteVolume', 'web', 'type: volume'),
    manifest(
      'CuteContainer',
      'web',
      'image: i\nnetworks: [web]\nvolumes: [{name: web, mountPath: /w}]',
    ),
  ]
  assert.equal(specOf(chart(...documents), 'container/web')['image'], 'i')
})

test('a container that its pod lists may name the pod itself', () => {
  const documents = [
    manifest('CutePod', 'p', 'containers: [c]'),
    manifest('CuteContainer', 'c', 'image: i\npod: p'),
  ]
  assert.deepEqual(specOf(chart(...documents), 'container/c')['pod'], {
    from: 'pod/p',
    output: 'object',
  })
})

test('clock and chance are the given ones', () => {
  const args = `args: ['{{ now | date "2006" }}', '{{ randAlphaNum 8 }}']`
  const text = manifest('CuteContainer', 'c', `image: i\n${args}`)
  const first = specOf(chart(text), 'container/c')['args']
  assert.deepEqual(specOf(chart(text), 'container/c')['args'], first)
  assert.match(JSON.stringify(first), /^\["2023","\w{8}"\]$/)
  const other = specOf({ ...chart(text), seed: new Uint8Array(32) }, 'container/c')['args']
  assert.notDeepEqual(other, first)
})

test('the environment of the process is not visible', () => {
  for (const call of ['env "PATH"', 'expandenv "$PATH"']) {
    const text = manifest('CuteContainer', 'c', `image: i\nargs: ['{{ ${call} }}']`)
    const [name] = call.split(' ')
    assert.deepEqual(
      renderChart(chart(text)).problems.map(({ code, message }) => [code, message]),
      [['template_error', `function "${name}" not defined`]],
    )
  }
})

test('all files of a chart share one budget, and the error names the file where it was used up', () => {
  const costly = '{{ $text := repeat 7900000 "a" }}'.repeat(5)
  const names = Array.from(
    { length: 20 },
    (_, i) => `templates/f${String(i).padStart(2, '0')}.yaml`,
  )
  const files = Object.fromEntries(names.map((name) => [name, `${costly}\n`]))
  const few = Object.fromEntries(names.slice(0, 4).map((name) => [name, `${costly}\n`]))
  assert.deepEqual(renderChart(input(few)).problems, [])
  const { problems } = renderChart(input(files))
  assert.equal(problems.length, 1)
  assert.match(problems[0]?.message ?? '', /more than 5000000 steps together/)
  assert.match(problems[0]?.at?.file ?? '', /^templates\/f\d\d\.yaml$/)
})
