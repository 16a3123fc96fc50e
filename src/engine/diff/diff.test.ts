import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Json } from '#model/json.ts'
import { isSealed, mapValue, settled, type Value } from '#model/value.ts'
import { vaultOf, type Vault } from '#model/vault.ts'
import { diffValue, knownLater, masked } from './diff.ts'

const key = new Uint8Array([1])
function vaultWith(content: string): Vault {
  return vaultOf(new Map([['password', Buffer.from(content)]]), key)
}
const vault = vaultWith('hush')
const sealed = { sealed: 'password' }

test('scalars, added and removed fields, nested paths', () => {
  const changes = diffValue({ a: 1, b: { c: 'x', 'd.e/f': 'y' } }, { a: 2, b: { g: true } }, vault)
  assert.deepEqual(changes, [
    { path: 'a', from: 2, to: 1 },
    { path: 'b.c', from: null, to: 'x' },
    { path: 'b[d.e/f]', from: null, to: 'y' },
    { path: 'b.g', from: true, to: null },
  ])
})

test('lists by key: order does not matter, one item is one change', () => {
  const keyOf = (path: string, item: Value): string | undefined =>
    path === 'ports' && typeof item === 'object' && item !== null && 'port' in item
      ? JSON.stringify(item.port)
      : undefined
  const wanted = {
    ports: [
      { port: 2, host: 20 },
      { port: 1, host: 10 },
    ],
  }
  assert.deepEqual(
    diffValue(
      wanted,
      {
        ports: [
          { port: 1, host: 10 },
          { port: 2, host: 20 },
        ],
      },
      vault,
      keyOf,
    ),
    [],
  )
  assert.deepEqual(
    diffValue(
      wanted,
      {
        ports: [
          { port: 1, host: 11 },
          { port: 3, host: 30 },
        ],
      },
      vault,
      keyOf,
    ),
    [
      { path: 'ports[2]', from: null, to: { port: 2, host: 20 } },
      { path: 'ports[1].host', from: 11, to: 10 },
      { path: 'ports[3]', from: { port: 3, host: 30 }, to: null },
    ],
  )
})

test('lists without keys count as one value', () => {
  assert.deepEqual(diffValue(['a', 'b'], ['b', 'a'], vault), [
    { path: '', from: ['b', 'a'], to: ['a', 'b'] },
  ])
  assert.deepEqual(diffValue(['a', 'b'], ['a', 'b'], vault), [])
})

test('secrets are compared with the recorded salt and never shown', () => {
  const recorded = { digest: vaultOf(vault.contents(), new Uint8Array([9])).digest(sealed) }
  assert.deepEqual(diffValue({ a: sealed }, { a: recorded }, vault), [])
  assert.deepEqual(diffValue({ a: sealed }, { a: recorded }, vaultWith('other')), [
    { path: 'a', from: masked, to: masked },
  ])
  assert.deepEqual(diffValue({ a: [sealed] }, { a: [] }, vault), [
    { path: 'a', from: [], to: [masked] },
  ])
  assert.deepEqual(diffValue({ a: 'plain' }, { a: recorded }, vault), [
    { path: 'a', from: masked, to: 'plain' },
  ])
})

test('what another resource has yet to yield is a change', () => {
  const later = { from: 'secret/db', output: 'password' }
  assert.deepEqual(diffValue({ a: later }, { a: 'db' }, vault), [
    { path: 'a', from: 'db', to: knownLater },
  ])
})

const values = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(sealed),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  ),
}))

function record(value: Value): Json {
  return settled(
    mapValue(value, (leaf) => (isSealed(leaf) ? { digest: vault.digest(leaf) } : leaf)),
  )
}

test('a value does not differ from its own record, and two that differ say where', () => {
  fc.assert(
    fc.property(values.value, values.value, (one, other) => {
      assert.deepEqual(diffValue(one, record(one), vault), [])
      const isSame = JSON.stringify(record(one)) === JSON.stringify(record(other))
      if (diffValue(one, record(other), vault).length === 0 && !isSame) {
        // the same but for the order of keys
        assert.deepEqual(record(one), record(other))
      }
    }),
  )
})
