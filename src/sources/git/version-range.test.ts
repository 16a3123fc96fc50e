import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newestIn, versionRange } from './version-range.ts'

const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['>=1.0.0 <2.0.0', ['1.0.0', '1.9.9', 'v1.2.3'], ['0.9.9', '2.0.0', '1.5.0-rc.1']],
  ['^1.2', ['1.2.0', '1.99.0'], ['1.1.9', '2.0.0']],
  ['^0.2.3', ['0.2.3', '0.2.9'], ['0.3.0', '0.2.2']],
  ['~1.2', ['1.2.0', '1.2.9'], ['1.3.0']],
  ['~1', ['1.0.0', '1.9.0'], ['2.0.0']],
  ['1.x', ['1.0.0', '1.5.2'], ['2.0.0', '0.1.0']],
  ['1.2 - 1.4', ['1.2.0', '1.4.7'], ['1.5.0', '1.1.0']],
  ['*', ['0.0.1', '9.0.0'], ['1.0.0-beta', 'latest']],
  ['>=1.0.0-0', ['1.0.0-beta', '1.0.0'], ['0.9.0']],
  ['1.2.3 || >2', ['1.2.3', '3.0.0'], ['1.2.4', '2.9.0']],
  ['>= 1.0, != 1.5.0', ['1.4.0', '1.6.0'], ['1.5.0']],
]

for (const [range, inside, outside] of cases) {
  test(`versions of ${range}`, () => {
    const read = versionRange(range)
    assert.ok(read !== undefined)
    for (const version of inside) assert.ok(read.has(version), version)
    for (const version of outside) assert.ok(!read.has(version), version)
  })
}

test('the newest is found by its numbers, a release before what led to it', () => {
  const names = ['v1.9.0', 'v1.10.0', 'v2.0.0', 'v1.10.1-rc.2', 'v1.10.1-rc.10', 'main']
  assert.equal(newestIn(versionRange('1.x')!, names), 'v1.10.0')
  assert.equal(newestIn(versionRange('>=1.0.0-0 <2')!, names), 'v1.10.1-rc.10')
  assert.equal(versionRange('not a range'), undefined)
})
