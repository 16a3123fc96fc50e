import assert from 'node:assert/strict'
import { join } from 'node:path/posix'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildKustomization, type Files } from './build.ts'
import { KustomizeError } from './error.ts'
import { casesIn, difference, filesOf } from '../../../test/conformance/kustomize.ts'

const cases = casesIn(join(import.meta.dirname, '../../../test/conformance/cases/kustomize.json'))

for (const one of cases) {
  test(`kustomize: ${one.name}`, () => assert.equal(difference(one), undefined))
}

function build(files: Record<string, string>, path = '') {
  return buildKustomization({ files: filesOf({ files }), path })
}

function problemOf(files: Record<string, string>, path = ''): KustomizeError {
  try {
    build(files, path)
  } catch (error) {
    if (error instanceof KustomizeError) return error
    throw error
  }
  return assert.fail('should have failed')
}

const pod = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n'

test('what go-yaml refuses is refused, as kustomize 5.8.1 refuses it', () => {
  const resources = { 'kustomization.yaml': 'resources: [a.yaml]\n' }
  for (const namespace of ['a\u007Fb', '&a/b', '"\\/"']) {
    const { message } = problemOf({ ...resources, 'a.yaml': `${pod}  namespace: ${namespace}\n` })
    assert.match(message, /^a\.yaml:\d: not valid YAML: /, namespace)
  }
})

test('a document that ends before anything is in it is refused, as kustomize 5.8.1 refuses it', () => {
  const resources = { 'kustomization.yaml': 'resources: [a.yaml]\n' }
  for (const text of ['...\n', '# c\n...', `${pod}---\n# c\n...\n`, `${pod}--- # c\n...\n`]) {
    const { message } = problemOf({ ...resources, 'a.yaml': text })
    assert.match(message, /ends with \.\.\. before anything is in it/, text)
  }
  for (const text of [`${pod}# c\n...\n`, `${pod}...\n# c\n...\n`, `---\n...\n---\n${pod}`]) {
    assert.equal(build({ ...resources, 'a.yaml': text }).resources.length, 1, text)
  }
})

test('a resource knows the file and line it came from', () => {
  const { resources } = build({
    'kustomization.yaml': 'resources: [a.yaml]\n',
    'a.yaml': `${pod}---\n# two\napiVersion: v1\nkind: Pod\nmetadata: {name: q}\n`,
  })
  assert.deepEqual(
    resources.map(({ place }) => `${place.file}:${place.line}`),
    ['a.yaml:1', 'a.yaml:7'],
  )
})

test('a mistake in a file is reported with its line', () => {
  const { file, line, message } = problemOf({
    'kustomization.yaml': 'resources: [a.yaml]\n',
    'a.yaml': `${pod}---\napiVersion: v1\nkind: Pod\n`,
  })
  assert.deepEqual([file, line], ['a.yaml', 6])
  assert.match(message, /^a\.yaml:6: the Pod has no metadata\.name/)
})

test('a field that does not exist is reported with the one that was meant', () => {
  const { line, message } = problemOf({ 'kustomization.yaml': 'resources: []\nnamePrefx: a-\n' })
  assert.equal(line, 2)
  assert.match(message, /did you mean namePrefix/)
})

test('what needs helm, functions or another machine says so', () => {
  const needs = (kustomization: string, more: Record<string, string> = {}) =>
    problemOf({ 'kustomization.yaml': kustomization, ...more }).needs
  assert.equal(needs('helmCharts: [{name: x}]\n'), 'helm')
  assert.equal(needs('resources: ["https://example.com/a.yaml"]\n'), 'remote')
  assert.equal(needs('resources: ["github.com/a/b//c?ref=v1"]\n'), 'remote')
  const plugin = 'apiVersion: example.com/v1\nkind: Mine\nmetadata: {name: m}\n'
  assert.equal(needs('transformers: [t.yaml]\n', { 't.yaml': plugin }), 'function')
})

test('no path leads out of the files given, even without a load restriction', () => {
  const files = filesOf({ files: { 'kustomization.yaml': 'resources: [../../etc/x.yaml]\n' } })
  const options = { loadRestrictor: 'LoadRestrictionsNone' } as const
  assert.throws(() => buildKustomization({ files, path: '', options }), /leads out/)
})

test('aliases that stand for billions of nodes are refused', () => {
  const levels = Array.from({ length: 12 }, (_, i) => {
    const items = Array.from({ length: 10 }, () => `*a${i}`).join(', ')
    return `a${i + 1}: &a${i + 1} [${items}]\n`
  })
  const bomb = `apiVersion: v1\nkind: X\nmetadata: {name: x}\na0: &a0 [x, x]\n${levels.join('')}`
  const { message } = problemOf({ 'kustomization.yaml': 'resources: [a.yaml]\n', 'a.yaml': bomb })
  assert.match(message, /aliases stand for too much/)
})

const word = fc.constantFrom(
  'a',
  'b',
  'web',
  'x-',
  'null',
  'yes',
  '5',
  '[]',
  '{}',
  '~',
  'kind',
  '..',
)
const line = fc
  .tuple(fc.constantFrom('', '  ', '- ', '    '), word, fc.constantFrom(': ', ':', ' ', ''), word)
  .map((parts) => parts.join(''))
const someYaml = fc.array(fc.oneof(line, fc.constantFrom(pod, '---', 'resources: [a.yaml]')))
const someFile = someYaml.map((lines) => `${lines.join('\n')}\n`)

test('a file that is listed twice is the fault of the list', () => {
  const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n'
  const list = 'resources:\n- cm.yaml\n- cm.yaml\n'
  const files = filesOf({ files: { 'a/cm.yaml': map, 'a/kustomization.yaml': list } })
  assert.throws(() => buildKustomization({ files, path: 'a' }), {
    message:
      'a/kustomization.yaml:3: ConfigMap v1 c is declared twice: a/cm.yaml:1 is listed twice',
  })
})

test('whatever the files hold, the answer is text or a KustomizeError, twice the same', () => {
  const tree = fc.record({
    kustomization: fc.oneof(
      someFile,
      someFile.map((rest) => `resources: [a.yaml]\n${rest}`),
    ),
    resource: fc.oneof(
      someFile,
      someFile.map((rest) => pod + rest),
    ),
  })
  fc.assert(
    fc.property(tree, ({ kustomization, resource }) => {
      const given = { 'kustomization.yaml': kustomization, 'a.yaml': resource }
      assert.equal(answer(filesOf({ files: given })), answer(filesOf({ files: given })))
    }),
    { numRuns: 300 },
  )
})

function answer(files: Files): string {
  try {
    return buildKustomization({ files, path: '' }).text
  } catch (error) {
    assert.ok(error instanceof KustomizeError, String(error instanceof Error ? error.stack : error))
    return error.message
  }
}
