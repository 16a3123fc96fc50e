import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { difference, readCases } from '../../../../test/conformance/charts.ts'

const file = join(import.meta.dirname, '../../../../test/conformance/cases/charts.json')

for (const each of readCases(file)) {
  test(`as Helm has it: ${each.name}`, () => assert.equal(difference(each), undefined))
}
