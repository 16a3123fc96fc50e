import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coloured, forTerminal } from './paint.ts'

test('our colours reach a terminal, and nothing that hides text or moves the cursor does', () => {
  for (const colour of ['green', 'red', 'yellow', 'blue', 'dim'] as const) {
    assert.equal(forTerminal(coloured(colour, 'web')), coloured(colour, 'web'))
  }
  const hiding = ['[8m', '[0;8m', '[40;30m', '[2J', '[1A', ']0;title\u0007', '[38;5;0m']
  for (const sequence of hiding) {
    assert.ok(!forTerminal(`a\u001b${sequence}b`).includes('\u001b'))
  }
})
