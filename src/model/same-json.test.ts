import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameJson } from './same-json.ts'

test('values that are written alike are the same', () => {
  const value = { a: 1, b: ['x', { c: null }], d: undefined }
  assert.ok(isSameJson(value, { b: ['x', { c: null }], a: 1 }))
  assert.ok(isSameJson({ b: ['x', { c: null }], a: 1 }, value))
  assert.ok(isSameJson([], []))
  assert.ok(isSameJson(undefined, undefined))
})

test('anything else is not', () => {
  const pairs = [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, {}],
    [{}, { a: 1 }],
    [{ a: null }, {}],
    [{ a: 0 }, { a: '0' }],
    [{ a: [] }, { a: {} }],
    [{ a: {} }, { a: [] }],
    [[1, 2], [1]],
    [[1], [1, 2]],
    [null, {}],
    [{}, null],
    ['a', 'b'],
    [{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 3 }] } }],
  ]
  for (const [one, other] of pairs) {
    assert.equal(isSameJson(one, other), false, JSON.stringify([one, other]))
    assert.notEqual(JSON.stringify(one), JSON.stringify(other))
  }
})
