/** A refusal says what the source has and what the plan is of, and never calls newer what may be older. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otherThanExpected } from './expected.ts'

const app = { key: 'stack:web', branch: undefined }
const seen = { revision: 'a'.repeat(40), hash: 'h' }
const other = { ...seen, revision: 'b'.repeat(40) }

function told(...args: Parameters<typeof otherThanExpected>) {
  const problem = otherThanExpected(...args)
  return problem && [problem.code, problem.message]
}

test('what is as it was planned is not refused', () => {
  assert.equal(told(app, seen, seen), undefined)
  assert.equal(told(app, undefined, other), undefined)
})

test('another revision, older or newer, is said as it is', () => {
  assert.deepEqual(told(app, seen, other), [
    'conflict',
    'its source has bbbbbbbbbbbb now, and the plan is of aaaaaaaaaaaa',
  ])
})

test('a source that could not be asked is said as such', () => {
  const unread = { type: 'runtime', code: 'git_error', message: 'the wire is cut' } as const
  assert.deepEqual(told(app, seen, other, unread), [
    'conflict',
    'its source can not be had: what was read of it last is bbbbbbbbbbbb, and the plan is of aaaaaaaaaaaa (the wire is cut)',
  ])
  const none = { ...seen, revision: '' }
  assert.match(String(told(app, seen, none, unread)), /nothing was read of it yet/)
})

test('what is declared no more can not be planned again', () => {
  assert.deepEqual(told(app, seen, undefined), ['gone', 'stack:web is no longer declared'])
})
