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

test('what would allow several refusals is told as one', () => {
  const all = faultIn([
    refusal(3, { allowedBy: { privileged: 'allow' } }),
    refusal(4, { allowedBy: { shared: ['network/proxy'] } }),
    refusal(5, { allowedBy: { shared: ['volume/a, b', 'network/proxy'] } }),
    refusal(6, { allowedBy: { allowedRoots: ['/srv/media'] } }),
    refusal(7),
  ])
  const told =
    'security: {privileged: allow, shared: [network/proxy, "volume/a, b"], allowedRoots: [/srv/media]}'
  assert.equal(
    all?.details?.at(-1),
    `also in one, for whoever allows all of it in tend.yaml: ${told}`,
  )
  const same = { allowedBy: { privileged: 'allow' } } as const
  assert.equal(faultIn([refusal(3, same), refusal(4, same)])?.details?.length, 1)
  const many = Array.from({ length: 30 }, (_, i) =>
    refusal(i, { allowedBy: { shared: [`x/${i}`] } }),
  )
  assert.equal(faultIn(many)?.details?.at(-1), 'also 20 more')
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
