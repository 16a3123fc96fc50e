/** What is done for an application that is not well. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remedyFor, type RemedyFacts } from './remedy.ts'
import { sick } from '../../../test/fake/decide-facts.ts'

function whatFor(more: Partial<RemedyFacts>): string | undefined {
  return remedyFor({ ...sick, ...more }).what
}

void test('restarted at once, then with growing pauses, then given up', () => {
  assert.equal(whatFor({}), 'restart')
  assert.deepEqual(remedyFor({ ...sick, before: { count: 1, at: 999_000 } }), {
    what: undefined,
    until: 1_009_000,
  })
  assert.equal(whatFor({ before: { count: 1, at: 990_000 } }), 'restart')
  assert.equal(whatFor({ before: { count: 3, at: 900_000 } }), 'give up')
  assert.equal(whatFor({ before: { count: 3, at: 900_000, isOver: true } }), undefined)
})

void test('what restarts do not mend goes back while it is on probation', () => {
  const probation = { probationUntil: 1_000_001 }
  assert.equal(whatFor({ ...probation, before: { count: 3, at: 900_000 } }), 'rollback')
  const last = { ...probation, before: { count: 3, at: 900_000 }, mayRollBack: false }
  assert.equal(whatFor(last), 'give up')
})

void test('a crash loop is given time, and restarts are no help to it', () => {
  const loop = { isLooping: true, since: 1_000_000 }
  assert.deepEqual(remedyFor({ ...sick, ...loop }), { what: undefined, until: 1_060_000 })
  assert.equal(whatFor({ ...loop, now: 1_060_000 }), 'give up')
  assert.equal(whatFor({ ...loop, now: 1_060_000, probationUntil: 2_000_000 }), 'rollback')
})

void test('alert: nothing is done; rollback: no restarts first while on probation', () => {
  assert.equal(whatFor({ policy: 'alert' }), 'give up')
  assert.equal(whatFor({ policy: 'rollback', probationUntil: 2_000_000 }), 'rollback')
  assert.equal(whatFor({ policy: 'rollback' }), 'restart')
})

void test('help is forgotten when it held, and what waits is waited for', () => {
  const before = { count: 2, at: 1_000_000 }
  assert.equal(whatFor({ state: 'progressing', before }), undefined)
  assert.equal(whatFor({ state: 'healthy', before }), undefined)
  assert.equal(whatFor({ state: 'healthy', before, now: 1_060_000 }), 'well again')
})
