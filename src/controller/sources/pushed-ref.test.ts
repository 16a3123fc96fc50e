/** Which of the refs that are followed a push means. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameRef } from './pushed-ref.ts'

const commit = 'c'.repeat(40)

for (const [declared, ref, isMeant] of [
  ['main', 'refs/heads/main', true],
  ['main', 'main', true],
  ['main', 'refs/heads/feature/main', false],
  ['main', 'refs/heads/other', false],
  ['refs/heads/main', 'refs/heads/main', true],
  ['v1', 'refs/tags/v1', true],
  ['refs/tags/v1', 'refs/heads/v1', false],
  ['HEAD', 'refs/heads/other', true],
  ['HEAD', 'refs/tags/v1', false],
  ['semver:1.x', 'refs/tags/v1.2.3', true],
  ['semver:1.x', 'refs/heads/main', false],
  [commit, 'refs/heads/other', true],
  ['d'.repeat(40), 'refs/heads/other', false],
  ['main', undefined, true],
] as const) {
  test(`${declared} and a push to ${ref ?? 'anything'}`, () => {
    assert.equal(isSameRef(declared, ref, commit), isMeant)
  })
}
