/** What editors are given as an example of fleet.yaml is one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingsIn } from './settings.ts'
import { wholeExample } from './whole-example.ts'

test('the example that editors are given is a fleet.yaml', () => {
  assert.deepEqual(settingsIn(JSON.stringify(wholeExample), 'fleet.yaml').problems, [])
})
