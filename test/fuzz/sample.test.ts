/** A small sample of `npm run test:fuzz`, the same each time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzz } from './fuzz.ts'

test('two thousand texts that nobody would write crash no reader and stop none', async () => {
  const { findings, inputs } = await fuzz(2_000, 1)
  assert.ok(inputs >= 2_000)
  assert.deepEqual(
    findings.map(
      ({ parser, what, text }) =>
        `${parser}: ${what.slice(0, 300)} ${JSON.stringify(text.slice(0, 300))}`,
    ),
    [],
  )
})
