import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProblemFacts } from '#model/problem.ts'
import { refusalIn } from './refused-plan.ts'

const wrong = (line: number, message: string): ProblemFacts => ({
  type: 'validation',
  code: 'api_error',
  message,
  at: { file: 'bad.yaml', line, column: 1 },
})
const needs = { type: 'dependency', code: 'needs_failed', message: 'needs it' } as const
const plan = (...problems: readonly ProblemFacts[]) => ({
  skipped: problems.map((problem, index) => ({ ref: `a/${index}`, problem })),
})

test('all that is refused is told, each once, and not what only waits for it', () => {
  assert.equal(refusalIn(plan()), undefined)
  const first = wrong(1, 'one')
  assert.deepEqual(refusalIn(plan(needs, first)), first)
  assert.deepEqual(refusalIn(plan(first, needs, wrong(2, 'two'), wrong(2, 'two'))), {
    ...first,
    details: ['bad.yaml:2:1: two'],
  })
  assert.deepEqual(refusalIn(plan(needs)), needs)
})

test('of very many the first ones are told, and how many more there are', () => {
  const many = Array.from({ length: 30 }, (_, index) => wrong(index, 'wrong'))
  const details = refusalIn(plan(...many))?.details ?? []
  assert.deepEqual([details.length, details.at(-1)], [10, 'and 20 more'])
})
