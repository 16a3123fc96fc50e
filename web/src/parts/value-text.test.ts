/** Values as people read them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { valueText, yamlText } from './value-text.ts'

test('a spec reads as YAML', () => {
  const text = yamlText({
    image: 'busybox:1',
    ports: [{ target: 80 }, { target: 81 }],
    env: {},
    off: false,
    on: 'true',
  })
  assert.equal(
    text,
    'image: busybox:1\nports:\n  - target: 80\n  - target: 81\nenv: {}\noff: false\non: "true"',
  )
})

test('nothing and empty are told apart', () => {
  assert.equal(valueText(null), '(none)')
  assert.equal(valueText(''), '""')
  assert.equal(valueText(8080), '8080')
})
