/** Whatever bytes come in as a Compose file, a model or a ComposeError comes out, and soon. 5,000 inputs; with TEND_FAULTS=all 100,000. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { ComposeError } from '#formats/compose/compose-error.ts'
import { loadCompose } from '#formats/compose/load/load.ts'
import { readCases } from '../conformance/compose.ts'

const times = process.env['TEND_FAULTS'] === 'all' ? 20 : 1
const cases = readCases(join(import.meta.dirname, '../conformance/cases/compose.json'), 5)
const texts = cases.flatMap(({ files }) => Object.values(files))

/** Fails the test when anything else than a ComposeError is thrown or one load takes long. */
function survives(files: Readonly<Record<string, Uint8Array | string>>): void {
  const start = performance.now()
  try {
    const loaded = loadCompose({
      files: {
        read(path) {
          const name = path.replace('/fuzz/', '')
          const found = Object.hasOwn(files, name) ? files[name] : undefined
          return typeof found === 'string' ? new TextEncoder().encode(found) : found
        },
        isDirectory: (path) => path === '/fuzz' || path === '/',
      },
      workingDirectory: '/fuzz',
      configFiles: [],
      envFiles: [],
      environment: { A: '1', B: '$A', EMPTY: '' },
      home: '/home',
      profiles: [],
      interpolate: true,
    })
    loaded.hashes()
    assert.equal(typeof JSON.stringify(loaded.printed), 'string')
  } catch (error) {
    if (!(error instanceof ComposeError)) throw error
    assert.ok(error.problems.length > 0 && error.message !== '')
  }
  assert.ok(performance.now() - start < 10_000, 'one load took more than ten seconds')
}

const key = fc.constantFrom(
  'services',
  'a',
  'b',
  'image',
  'build',
  'ports',
  'volumes',
  'environment',
  'depends_on',
  'extends',
  'include',
  'labels',
  'networks',
  'deploy',
  'resources',
  'limits',
  'configs',
  'secrets',
  'file',
  'target',
  'source',
  'type',
  '<<',
  'x-a',
  '__proto__',
)
const scalar = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom(
    '${A',
    '${A:-${B}}',
    '$$',
    '80:80',
    './x:/y',
    '1m',
    'a',
    '!reset',
    '2001-01-01',
    '~',
    'compose.yaml',
    '0x1f',
  ),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
)
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    scalar,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 5 }),
  ),
}))

test('random bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) =>
      survives({ 'compose.yaml': bytes, '.env': bytes }),
    ),
    { numRuns: 1000 * times },
  )
})

test('random YAML', () => {
  const service = fc.dictionary(key, tree, { maxKeys: 6 })
  const model = fc.record(
    { services: fc.dictionary(fc.constantFrom('a', 'b'), service) },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(fc.oneof(tree, model), (value) =>
      survives({ 'compose.yaml': JSON.stringify(value) }),
    ),
    { numRuns: 2000 * times },
  )
})

test('files with a few characters changed', () => {
  const change = fc.tuple(
    fc.nat(),
    fc.nat(6),
    fc.constantFrom('', ':', '\n', ' ', '"', '${', '&a ', '*a', '- ', '{', '[', '\t', 'x'),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      (text, changes) => {
        let changed = text
        for (const [at, length, by] of changes) {
          const start = at % (changed.length + 1)
          changed = changed.slice(0, start) + by + changed.slice(start + length)
        }
        survives({ 'compose.yaml': changed, 'o.yaml': text, '.env': changed })
      },
    ),
    { numRuns: 2000 * times },
  )
})

test('bombs, circles and depth', () => {
  const lines = Array.from({ length: 30 }, (_, i) => `  a${i}: &a${i} [${`*a${i - 1},`.repeat(9)}]`)
  const bomb = `x-a:\n  a0: &a0 [x]\n${lines.slice(1).join('\n')}\nservices: {a: {image: x}}\n`
  const overrides = bomb.replaceAll('[', '!override [')
  const merges = Array.from(
    { length: 40 },
    (_, i) => `  m${i}: &m${i}\n    <<: [${i > 0 ? `*m${i - 1}, *m${i - 1}` : ''}]\n    k${i}: 1`,
  )
  const include = 'include: [compose.yaml]\nservices: {a: {image: x}}\n'
  const detour = 'include:\n  - path: [o.yaml, compose.yaml]\n'
  const inputs = [
    bomb,
    overrides,
    `x-m:\n${merges.join('\n')}\n`,
    include,
    detour,
    'x-a: &a {b: *a}\n',
    `x-a: ${'['.repeat(20_000)}`,
    `x-a: ${'{a: '.repeat(20_000)}`,
    `${Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')}\n`,
    `x-a: ${'${A:-'.repeat(20_000)}`,
    `x-a: "${'${A:+${B:-'.repeat(3_000)}${'}'.repeat(6_000)}"`,
    `services: {a: {image: x, ports: [${'"1-9999:1-9999",'.repeat(50)}]}}`,
    `services: {${Array.from({ length: 2000 }, (_, i) => `s${i}: {image: x, depends_on: [s${i + 1}]}`).join()}, s2000: {image: x}}`,
    `services: {${Array.from({ length: 2000 }, (_, i) => `s${i}: {extends: s${i + 1}}`).join()}, s2000: {image: x}}`,
  ]
  for (const text of inputs)
    survives({ 'compose.yaml': text, 'o.yaml': 'services: {b: {image: y}}' })
})
