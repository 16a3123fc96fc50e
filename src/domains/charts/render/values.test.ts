/** Layers of values, and Helm's grammar of --set. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ValueLayer } from '../chart-input.ts'
import { parseSettings } from './set-grammar.ts'
import { coalesced, plainOf, tableOf } from './coalesce.ts'
import { readUserValues, readValuesFile, type UserValues } from './values.ts'

/** What a chart with this values.yaml sees of the layers. */
function readValues(
  base: string | undefined,
  layers: readonly ValueLayer[],
): Omit<UserValues, 'sources'> {
  const file = base === undefined ? undefined : readValuesFile('values.yaml', base)
  const user = readUserValues(layers)
  const chart = { name: 'my-app', values: tableOf(file?.source.values), children: [] }
  const values = coalesced(chart, tableOf(user.values), {
    keepsNulls: false,
    warn: assert.fail,
  })
  return {
    values: plainOf(values),
    problems: [...(file?.problems ?? []), ...user.problems],
    notes: [...(file?.notes ?? []), ...user.notes],
  }
}

const set = (text: string): ValueLayer => ({ kind: 'set', text })

/** What `--set TEXT` makes of nothing. */
const settings: readonly (readonly [string, unknown])[] = [
  ['a=b', { a: 'b' }],
  ['a=b,c=d', { a: 'b', c: 'd' }],
  ['a.b.c=1', { a: { b: { c: 1 } } }],
  ['a[0]=x', { a: ['x'] }],
  ['a[2]=x', { a: [null, null, 'x'] }],
  ['a[0].b=x,a[0].c=y', { a: [{ b: 'x', c: 'y' }] }],
  ['a[1][0]=x', { a: [null, ['x']] }],
  ['a={x,y,1}', { a: ['x', 'y', 1] }],
  ['a={}', { a: [] }],
  ['a={x,y},b=2', { a: ['x', 'y'], b: 2 }],
  ['a=x\\,y', { a: 'x,y' }],
  ['a\\.b=c', { 'a.b': 'c' }],
  ['a=x=y', { a: 'x=y' }],
  ['a=', { a: '' }],
  ['a=true,b=false', { a: true, b: false }],
  ['a=0,b=-1,c=007,d=1.5,e=1e3', { a: 0, b: -1, c: '007', d: '1.5', e: '1e3' }],
  ['a=http://x.y:80/z?q[0]', { a: 'http://x.y:80/z?q[0]' }],
  ['__proto__.x=1', JSON.parse('{"__proto__":{"x":1}}')],
]
for (const [text, expected] of settings) {
  test(`--set ${text}`, () => {
    assert.deepEqual(readValues(undefined, [set(text)]), {
      values: expected,
      problems: [],
      notes: [],
    })
  })
}

const wrong: readonly (readonly [string, string])[] = [
  ['a', '--set: "a" has no "=" behind a'],
  ['=b', '--set: "=b" has an empty key'],
  ['a..b=c', '--set: "a..b=c" has an empty key'],
  ['a[x]=c', '--set: "a[x]=c": not an index from 0 to 65536'],
  ['a[99999]=c', '--set: "a[99999]=c": not an index from 0 to 65536'],
  ['a={x', '--set: the list "{x" has no "}"'],
  ['a={x}y', '--set: "a={x}y": expected "," before "y"'],
]
for (const [text, expected] of wrong) {
  test(`--set ${text} is refused`, () => {
    const { problems } = readValues(undefined, [set(text)])
    assert.deepEqual(
      problems.map((problem) => [problem.code, problem.message]),
      [['values_error', expected]],
    )
  })
}

test('--set-string keeps texts, --set-file takes a whole file', () => {
  const layers: readonly ValueLayer[] = [
    { kind: 'set-string', text: 'a=1,b=true,c=null' },
    { kind: 'set-file', path: 'd.e[0]', content: 'x,y\n' },
  ]
  assert.deepEqual(readValues(undefined, layers).values, {
    a: '1',
    b: 'true',
    c: 'null',
    d: { e: ['x,y\n'] },
  })
})

test('later layers win, maps are merged, lists replaced, null takes away', () => {
  const base = 'a: {x: 1, w: 2}\nlist: [1, 2]\ngone: 1\ndeep: {gone: 1, kept: 2}\n'
  const layers: readonly ValueLayer[] = [
    { kind: 'file', name: 'one.yaml', text: 'a: {w: 3, z: 4}\nlist: [9]\ngone: null\n' },
    { kind: 'set', text: 'deep.gone=null,a.z=5' },
    { kind: 'file', name: 'empty.yaml', text: '# nothing\n' },
    { kind: 'file', name: 'two.yaml', text: 'a: {v: 6}\n' },
  ]
  assert.deepEqual(readValues(base, layers).values, {
    a: { x: 1, w: 3, z: 5, v: 6 },
    list: [9],
    deep: { kept: 2 },
  })
})

test('a bad file names itself', () => {
  const layers: readonly ValueLayer[] = [{ kind: 'file', name: 'prod.yaml', text: 'a: [\n' }]
  const [problem] = readValues(undefined, layers).problems
  assert.equal(problem?.at?.file, 'prod.yaml')
})

test('whatever is escaped arrives as it is', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), (key, value) => {
      const escaped = (text: string) => text.replace(/[\\,.=[\]{}]/g, (letter) => `\\${letter}`)
      const parsed = parseSettings(`${escaped(key)}=${escaped(value)}`, true)
      assert.deepEqual(parsed, [{ path: [key], value }])
    }),
  )
})

test('no text makes it throw anything but its own error', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', '.', '[', ']', '0', '=', ',', '{', '}', '\\')),
      (text) => {
        readValues('a: {b: [1]}', [set(text.join(''))])
      },
    ),
  )
})

test('--set-json takes pairs of JSON, or a whole object', () => {
  const json = (text: string) => readValues('a: {b: 1}\n', [{ kind: 'set-json', text }])
  assert.deepEqual(json('a.c=[1,{"x":"y,z"}],d="t"').values, {
    a: { b: 1, c: [1, { x: 'y,z' }] },
    d: 't',
  })
  assert.deepEqual(json('{"d": {"e": null}, "f": 2}').values, { a: { b: 1 }, d: { e: null }, f: 2 })
  assert.match(json('a={').problems[0]?.message ?? '', /^--set-json: .* no JSON behind a$/)
})

test('--set-literal takes every letter as it is', () => {
  const text = 'a.b=x,y={1}\\=.z'
  const { values } = readValues(undefined, [{ kind: 'set-literal', text }])
  assert.deepEqual(values, { a: { b: 'x,y={1}\\=.z' } })
})

/** As Helm 3 answers `{{ .Values | toJson }}`: it reads YAML 1.1. */
const asHelm: readonly (readonly [string, unknown])[] = [
  ['a: no', { a: false }],
  ['a: on', { a: true }],
  ['a: y', { a: true }],
  ['a: OFF', { a: false }],
  ['a: 0777', { a: 511 }],
  ['a: 0x1F', { a: 31 }],
  ['a: 1_000', { a: 1000 }],
  ['a: 0b11', { a: 3 }],
  ['a: ~', { a: null }],
  ['a: "no"', { a: 'no' }],
  ["a: '0777'", { a: '0777' }],
  ['a: !!str no', { a: 'no' }],
  ['a: 0o777', { a: 511 }],
  ['a: 12:30', { a: '12:30' }],
  ['a: 2024-01-02', { a: '2024-01-02' }],
  ['no: a', { false: 'a' }],
  ['1: a', { '1': 'a' }],
  ['a: &x {b: no}\nc:\n  <<: *x\n  d: 1', { a: { b: false }, c: { b: false, d: 1 } }],
]
for (const [text, expected] of asHelm) {
  test(`values.yaml with ${JSON.stringify(text)}`, () => {
    const { values, problems } = readValues(text, [])
    assert.deepEqual({ values, problems }, { values: expected, problems: [] })
  })
}

test('where it matters that values are YAML 1.1 is noted, and nowhere else', () => {
  const text = 'restart: no\nmode: 0777\nport: 8080\nname: "no"\nin:\n  - on\non: 1\n'
  const { notes } = readValues(text, [{ kind: 'file', name: 'more.yaml', text: 'x: yes\n' }])
  assert.deepEqual(
    notes.map((note) => note.split(' ').slice(0, 6).join(' ')),
    [
      'values.yaml:1:10 restart: no is the truth',
      'values.yaml:2:7 mode: 0777 is the number',
      'values.yaml:6:5 in.0: on is the truth',
      'values.yaml:7:1 the key on is no',
      'more.yaml:1:4 x: yes is the truth',
    ],
  )
  assert.match(notes[0] ?? '', /the truth value false, .* as in Helm; "no" is the text$/)
})

test('what Helm refuses in a file of values is refused', () => {
  const { problems } = readValues('a: .inf\n', [])
  assert.match(problems[0]?.message ?? '', /unsupported value: \+Inf/)
})
