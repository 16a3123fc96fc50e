/** The loader against the project's own recorded cases. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join } from 'node:path'
import { differencesOf, readCases } from '../../../../test/conformance/compose.ts'

const file = join(import.meta.dirname, '../../../../test/conformance/cases/compose.json')

for (const release of [5, 2] as const) {
  test(`every recorded case comes out as docker compose ${release} has it`, () => {
    const cases = readCases(file, release)
    assert.ok(cases.length > 400)
    const differences = cases.flatMap((one) =>
      differencesOf(one, release).map((text) => `${one.name}: ${text}`),
    )
    assert.deepEqual(differences, [])
  })
}
