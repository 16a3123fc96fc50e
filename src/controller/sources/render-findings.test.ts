/** All refusals of a file at once, each with its place; warnings each once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProblemFacts } from '#model/problem.ts'
import { faultIn, othersIn, warningsIn } from './render-findings.ts'

function refusal(line: number, more: Partial<ProblemFacts> = {}): ProblemFacts {
  const at = { file: 'web/compose.yaml', line, column: 5 }
  return { type: 'configuration', code: 'denied', message: `no ${line}`, at, ...more }
}

test('the first stands for all, and the others come with their lines and what to do', () => {
  const skipped: ProblemFacts = { type: 'validation', code: 'bad_value', message: 'only this one' }
  assert.equal(faultIn([skipped]), undefined)
  assert.deepEqual(faultIn([skipped, refusal(3)]), refusal(3))
  const all = faultIn([refusal(3), skipped, refusal(7, { suggestion: 'take it out' }), refusal(9)])
  assert.equal(all?.message, 'no 3')
  assert.deepEqual(all?.details, [
    'also web/compose.yaml:7:5: no 7 (take it out)',
    'also web/compose.yaml:9:5: no 9',
  ])
  assert.deepEqual(othersIn({ ...refusal(3), details: ['the last lines', ...all.details] }), [
    ...all.details,
  ])
})

test('of thousands the first ten, and how many are left', () => {
  const many = Array.from({ length: 3000 }, (_, index) => refusal(index + 1))
  const { details = [] } = faultIn(many) ?? {}
  assert.equal(details.length, 10)
  assert.equal(details.at(-1), 'also 2990 more')
})

test('warnings are told once each, and no more than can be read', () => {
  assert.deepEqual(warningsIn(['a', 'b', 'a']), ['a', 'b'])
  const many = warningsIn(Array.from({ length: 50 }, (_, index) => `${index}${'x'.repeat(600)}`))
  assert.equal(many.length, 21)
  assert.equal(many.at(-1), 'and 30 more')
  assert.ok(many.every((text) => text.length <= 500))
})
