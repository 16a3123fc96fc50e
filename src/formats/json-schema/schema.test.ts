/** What is wrong with values, in words; the official suite is run by hand (README.md). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSchema, SchemaError } from './read-schema.ts'

function told(schema: unknown, value: unknown): readonly string[] {
  return readSchema(schema)
    .faultsOf(value)
    .map(({ path, message }) => `${path.join('.')}: ${message}`)
}

const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' }
const draft4 = { $schema: 'http://json-schema.org/draft-04/schema#' }

const cases: readonly (readonly [
  name: string,
  schema: object,
  value: unknown,
  faults: string[],
])[] = [
  ['a type', { type: 'integer' }, '1', [': expected an integer, found a string']],
  ['one of two types', { type: ['string', 'null'] }, null, []],
  ['1.0 is an integer', { type: 'integer' }, 1.0, []],
  ['a range', { minimum: 1, exclusiveMaximum: 3 }, 3, [': expected less than 3']],
  [
    'a range of draft 4',
    { ...draft4, minimum: 1, exclusiveMinimum: true },
    1,
    [': expected more than 1'],
  ],
  ['a fraction', { multipleOf: 0.0001 }, 0.0075, []],
  ['letters and not units', { maxLength: 1 }, '😀', []],
  ['a pattern', { pattern: '^a+$' }, 'b', [': does not fit the pattern ^a+$']],
  ['enum', { enum: [1, { a: 2 }] }, { a: 2 }, []],
  ['const', { const: 'x' }, 'y', [': expected "x"']],
  ['required', { required: ['a'] }, {}, [': a is required, but missing']],
  [
    'an unknown key',
    { properties: { a: {} }, additionalProperties: false },
    { b: 1 },
    [': b is not known here'],
  ],
  ['items', { items: { type: 'string' } }, ['a', 1], ['1: expected a string, found an integer']],
  [
    'a tuple of draft 7',
    { ...draft7, items: [{}], additionalItems: false },
    [1, 2],
    ['1: nothing is allowed here'],
  ],
  ['a tuple of 2020', { prefixItems: [{}], items: false }, [1, 2], ['1: nothing is allowed here']],
  [
    'twice',
    { uniqueItems: true },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [': an item is there twice'],
  ],
  [
    'if and then',
    JSON.parse('{"if": {"required": ["tls"]}, "then": {"required": ["cert"]}}'),
    { tls: true },
    [': cert is required, but missing'],
  ],
  [
    'forms, of which the nearest is told',
    { anyOf: [{ type: 'string' }, { properties: { port: { type: 'integer' } } }] },
    { port: 'x' },
    [
      ': fits none of the 2 allowed forms (of the nearest: port: expected an integer, found a string)',
    ],
  ],
  [
    'one form too many',
    { oneOf: [{}, {}] },
    1,
    [': fits 2 of the allowed forms, and only one may fit'],
  ],
  [
    'a reference',
    { $defs: { p: { type: 'integer' } }, $ref: '#/$defs/p' },
    'x',
    [': expected an integer, found a string'],
  ],
  ['an anchor', { $defs: { p: { $anchor: 'q', type: 'integer' } }, $ref: '#q' }, 1, []],
  [
    'beside a reference nothing counts up to draft 7',
    {
      ...draft7,
      definitions: { p: {} },
      properties: { a: { $ref: '#/definitions/p', type: 'string' } },
    },
    { a: 1 },
    [],
  ],
  [
    'what no part looked at',
    { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    { a: 1, b: 2 },
    [': b is not known here'],
  ],
  ['a format of draft 7', { ...draft7, format: 'ipv4' }, 'x', [': is not of the format ipv4']],
  ['a format of 2020 is a remark', { format: 'ipv4' }, 'x', []],
]
for (const [name, schema, value, faults] of cases) {
  test(name, () => assert.deepEqual(told(schema, value), faults))
}

test('a recursive schema ends where the value ends, and one that leads nowhere but to itself is refused', () => {
  const list = { properties: { next: { $ref: '#' }, n: { type: 'integer' } } }
  assert.deepEqual(told(list, { next: { next: { n: 'x' } } }), [
    'next.next.n: expected an integer, found a string',
  ])
  assert.throws(() => told({ $ref: '#' }, 1), new SchemaError('the schema leads in a circle', []))
})

test('a reference to another document is refused, for nothing is fetched', () => {
  assert.throws(
    () => told({ properties: { a: { $ref: 'https://example.org/a.json' } } }, { a: 1 }),
    (error) => error instanceof SchemaError && /nothing is fetched/.test(error.message),
  )
})
