import assert from 'node:assert/strict'
import { join } from 'node:path/posix'
import { test } from 'node:test'
import fc from 'fast-check'
import { statusOf } from './status.ts'
import { casesIn, difference } from '../../../test/conformance/kstatus.ts'

const cases = casesIn(join(import.meta.dirname, '../../../test/conformance/cases/kstatus.json'))

for (const one of cases) {
  test(`kstatus: ${one.name}`, () => assert.equal(difference(one), undefined))
}

test('an object of any shape gets a status, unless it is a Pod in an unknown phase', () => {
  const kind = fc.constantFrom('Deployment', 'DaemonSet', 'StatefulSet', 'ReplicaSet', 'Job', 'Pod')
  const object = fc.record({
    apiVersion: fc.constantFrom('apps/v1', 'v1', 'batch/v1'),
    kind,
    metadata: fc.anything(),
    spec: fc.anything(),
    status: fc.oneof(fc.anything(), fc.record({ conditions: fc.array(fc.anything()) })),
  })
  fc.assert(
    fc.property(object, (live) => {
      const { status, conditions } = statusOf(live, { now: 0 })
      const isOpen = status === 'InProgress' || status === 'Failed'
      assert.equal(conditions.length, isOpen ? 1 : 0)
    }),
  )
})
