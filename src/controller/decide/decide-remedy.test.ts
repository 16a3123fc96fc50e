/** What the decision makes of health: help, and nothing while something else is wanted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, type Facts } from './decide.ts'
import { quiet, sick } from '../../../test/fake/decide-facts.ts'

const synced: Facts = { ...quiet, health: sick }

void test('what is synced and not well is synced, and gets help', () => {
  const decision = decide(synced)
  assert.equal(decision.state, 'synced')
  assert.equal(decision.help, 'restart')
})

void test('what drifted is repaired first, and a new revision comes before any help', () => {
  const drifted = decide({ ...synced, drift: 'container/web: it has stopped (exit code 1)' })
  assert.equal(drifted.help, undefined)
  assert.equal(drifted.run?.trigger, 'drift')
  assert.equal(decide({ ...synced, desired: 'b' }).help, undefined)
})

void test('nobody is helped who is suspended, or while a window is closed', () => {
  assert.equal(decide({ ...synced, isSuspended: true }).help, undefined)
  const closed = decide({ ...synced, window: () => ({ isOpen: false, until: 1_100_000 }) })
  assert.equal(closed.help, undefined)
  assert.equal(closed.until, 1_100_000)
})

void test('what is left when it is gone from its source is called running only if it runs', () => {
  const gone = { isRemoved: false, mayRemove: false, keptBecause: undefined }
  const running = decide({ ...synced, gone: { ...gone, isRunning: true } })
  assert.match(running.reason, /left running/)
  const stopped = decide({ ...synced, gone: { ...gone, isRunning: false } })
  assert.match(stopped.reason, /nothing of it runs/)
})
