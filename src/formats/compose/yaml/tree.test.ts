/** The YAML that people write, what it means, and where it breaks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { ComposeError } from '../compose-error.ts'
import { toJson, type Json } from './node.ts'
import { sourceOf } from './source.ts'
import { parseYaml } from './tree.ts'

function documents(text: string): Json[] {
  return parseYaml(sourceOf('f.yaml', text)).map(({ root }) => toJson(root))
}

function failure(text: string): string {
  try {
    documents(text)
  } catch (error) {
    if (error instanceof ComposeError) return error.message
    throw error
  }
  return 'no failure'
}

const meanings: readonly (readonly [text: string, meaning: Json])[] = [
  ['a: 1\nb: two # comment\n', { a: 1, b: 'two' }],
  ['a:\n- x\n-   - y\n    - z\n', { a: ['x', ['y', 'z']] }],
  ['a: [\n  x,\n  y\n]\nb: {\n}\n', { a: ['x', 'y'], b: {} }],
  ['{a: b, "c": d, e, f: , "g":h}', { a: 'b', c: 'd', e: null, f: null, g: 'h' }],
  ['[a: b, c]', [{ a: 'b' }, 'c']],
  ['a: one\n  two\n\n  three\n', { a: 'one two\nthree' }],
  ['a: "one\n  two\\n\\\n  three"\n', { a: 'one two\nthree' }],
  ["a: 'it''s\n\n  here'\n", { a: "it's\nhere" }],
  [
    'a: |\n  x\n   y\n\nb: >-\n  x\n  y\n\n  z\nc: |+\n  k\n\n',
    { a: 'x\n y\n', b: 'x y\nz', c: 'k\n\n' },
  ],
  ['a: |2\n    x\n', { a: '  x\n' }],
  ['a: "\\x41\\u00e9\\U0001F600\\t"', { a: 'Aé😀\t' }],
  ['? a\n: b\n? c\n', { a: 'b', c: null }],
  [
    'a: 0x1F\nb: 017\nc: 0o17\nd: 1_000\ne: 1e3\nf: .5\ng: -0b11\n',
    { a: 31, b: 15, c: 15, d: 1000, e: 1000, f: 0.5, g: -3 },
  ],
  [
    'a: yes\nb: on\nc: TRUE\nd: Null\ne: 12:30:45\nf: 1.2.3\n',
    { a: 'yes', b: 'on', c: true, d: null, e: '12:30:45', f: '1.2.3' },
  ],
  ['a: !!str 5\nb: !!int "5"\nc: !x 5\nd: !!float 5\n', { a: '5', b: 5, c: '5', d: 5 }],
  [
    'a: &x {k: 1}\nb: *x\nc: {<<: *x, l: 2}\nd: {<<: [{k: 3}, *x], m: 4}\n',
    { a: { k: 1 }, b: { k: 1 }, c: { l: 2, k: 1 }, d: { m: 4, k: 3 } },
  ],
  ['"<<": 1\n', { '<<': 1 }],
  ['url: http://x:80/#y\nd: a#b\ne: a #b\n', { url: 'http://x:80/#y', d: 'a#b', e: 'a' }],
  ['\uFEFFa: 1\r\nb: 2\r\n', { a: 1, b: 2 }],
  ['a:\tx\n', { a: 'x' }],
  ['- - a\n  - b\n-\n  c: d\n', [['a', 'b'], { c: 'd' }]],
]

test('what is written means what it does to the reference', () => {
  for (const [text, meaning] of meanings) assert.deepEqual(documents(text), [meaning], text)
})

test('a text may hold several documents, or none', () => {
  assert.deepEqual(documents('a: 1\n---\nb: 2\n...\n---\n'), [{ a: 1 }, { b: 2 }, null])
  assert.deepEqual(documents('# nothing\n\n'), [])
  assert.deepEqual(documents('%TAG !e! tag:yaml.org,2002:\n---\na: !e!str 1\n'), [{ a: '1' }])
})

test('what is wrong is told with its place', () => {
  const failures = {
    'a: 1\n b: 2\n': 'f.yaml:2:3: not valid YAML: the ":" of a mapping cannot stand here',
    'a: [1, 2\n': 'f.yaml:2:1: not valid YAML: "," or "]" must stand here',
    'a: "open\n': 'f.yaml:1:4: not valid YAML: the quote that opens here is not closed',
    'a: 1\nb\nc: 2\n': 'f.yaml:2:1: not valid YAML: a ":" is missing after this key',
    'a: *b\n': 'f.yaml:1:1: there is no anchor "b" above this alias',
    'a: &a [*a]\n': 'f.yaml:1:8: the anchor "a" contains itself: a cycle',
    'a: 1\na: 2\n': 'f.yaml:2:1: the key "a" is already defined at line 1',
    '1: a\n': 'f.yaml:1:1: the key 1 is not text',
    'a: @x\n': 'f.yaml:1:4: not valid YAML: nothing can start with "@" here',
    'a:\n\t- x\n': 'f.yaml:2:1: not valid YAML: nothing can start with a tab here',
    'a: "\\q"\n': 'f.yaml:1:5: not valid YAML: "\\q" is not an escape',
    'a: {<<: 1}\n': 'f.yaml:1:5: a merge key (<<) takes a mapping or a list of mappings',
    '%YAML 1.2\n---\na: 1\n': 'f.yaml:1:1: not valid YAML: YAML 1.2 is not supported',
  }
  for (const [text, message] of Object.entries(failures)) {
    assert.equal(failure(text).split(/; (?=\w+ )/)[0], message, text)
  }
})

test('what another writer writes is read back, in every style', () => {
  // "?" and ":" part a word here and not there, and more of what starts with a digit is a number here.
  const word = fc
    .string({ maxLength: 30 })
    .map((text) => text.replaceAll(/[?:]/g, 'x').replace(/^[-+.\d]/, 'y'))
  const key = word.filter(
    (text) => text !== '' && !/^[\s\d.~+-]|^(?:null|true|false|<<)$/i.test(text),
  )
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      word,
      fc.constantFrom('12', '-1', '0x1f', '1e3', 'true', 'null', '~', 'yes', ''),
      fc.lorem({ maxCount: 20 }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
    ),
  }))
  const style = fc.record({
    indent: fc.constantFrom(2, 4),
    indentSeq: fc.boolean(),
    lineWidth: fc.constantFrom(0, 30, 80),
    collectionStyle: fc.constantFrom('any' as const, 'block' as const, 'flow' as const),
    singleQuote: fc.boolean(),
    version: fc.constant('1.1' as const),
  })
  fc.assert(
    fc.property(
      fc.dictionary(key, tree, { minKeys: 1, noNullPrototype: true }),
      style,
      (value, options) => {
        const text = stringify(value, { ...options, aliasDuplicateObjects: false })
        assert.deepEqual(documents(text), [value], text)
      },
    ),
    { numRuns: 1000 },
  )
})
