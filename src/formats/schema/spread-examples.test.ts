/** Keys of a schema get what whole examples say there, each form its own, and what says itself what it takes gets nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsExample, spreadExamples } from './spread-examples.ts'

const text = { type: 'string' }
const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
})

test('texts, lists and maps, at every depth', () => {
  const schema = object({
    name: text,
    tags: { type: 'array', items: text },
    rooms: { type: 'object', additionalProperties: object({ door: text }) },
    doors: { type: 'array', items: object({ door: text }) },
  })
  const whole = {
    name: 'a',
    tags: ['b', 'c'],
    rooms: { one: { door: 'd' } },
    doors: [{ door: 'e' }, { door: 'f' }],
  }
  assert.deepEqual(spreadExamples(schema, [{ name: 'a' }, { ...whole, name: 'later' }]), {
    ...schema,
    properties: {
      name: { ...text, examples: ['a'] },
      tags: { type: 'array', items: text, examples: [['b', 'c']] },
      rooms: {
        type: 'object',
        additionalProperties: object({ door: { ...text, examples: ['d'] } }),
      },
      doors: { type: 'array', items: object({ door: { ...text, examples: ['e'] } }) },
    },
  })
})

test('of several forms the one that has its keys, or its kind', () => {
  const forms = [
    object({ kind: { const: 'A' }, name: text }),
    object({ kind: { const: 'B' }, name: text }),
  ]
  const both = spreadExamples({ anyOf: forms }, [
    { kind: 'B', name: 'of B' },
    { kind: 'A', name: 'of A' },
  ])
  assert.deepEqual(JSON.stringify(both).match(/of [AB]/g), ['of A', 'of B'])
  const secret = {
    anyOf: [object({ file: text }, ['file']), object({ variable: text }, ['variable'])],
  }
  const one = spreadExamples(object({ key: secret }), [{ key: { file: 'x' } }])
  assert.deepEqual(
    one,
    object({
      key: { anyOf: [object({ file: { ...text, examples: ['x'] } }, ['file']), secret.anyOf[1]] },
    }),
  )
})

test('own examples stay, choices and yes or no need none', () => {
  const own = { ...text, examples: ['own'] }
  const schema = object({ own, choice: { enum: ['a', 'b'] }, isSo: { type: 'boolean' } })
  assert.deepEqual(spreadExamples(schema, [{ own: 'x', choice: 'a', isSo: true }]), schema)
  assert.ok(needsExample({ anyOf: [text, { type: 'array', items: text }] }))
  assert.ok(!needsExample({ anyOf: [own, { const: 0 }] }))
})
