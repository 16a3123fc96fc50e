/** The loader against the project's own recorded cases. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join } from 'node:path'
import { differencesOf, readCases } from '../../../test/conformance/compose.ts'

const file = join(import.meta.dirname, '../../../test/conformance/cases/compose.json')

test('every recorded case comes out as the reference has it', () => {
  const cases = readCases(file)
  assert.ok(cases.length > 400)
  const differences = cases.flatMap((one) =>
    differencesOf(one).map((text) => `${one.name}: ${text}`),
  )
  assert.deepEqual(differences, [])
})
