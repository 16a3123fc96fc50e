/** Texts compared line by line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textLines } from './text-lines.ts'

test('a changed line leaves and comes, the rest stays', () => {
  const lines = textLines('a\nb\nc\n', 'a\nB\nc\n')
  assert.deepEqual(
    lines.map(({ sign, text }) => sign + text),
    [' a', '-b', '+B', ' c'],
  )
})
