import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verdictText } from './verdict-text.ts'

const sync = { synced: 0, drifted: 0, behind: 0, missing: 0, syncing: 0, unknown: 0 }
const health = { healthy: 0, progressing: 0, degraded: 0, failed: 0, unknown: 0 }

function said(total: number, attention: number, leftAlone: number, syncing = 0, outdated = 0) {
  const counts = { total, attention, leftAlone, outdated, health }
  return verdictText({ ...counts, sync: { ...sync, syncing } })
}

test('all well, some that need somebody, and what is under way', () => {
  assert.equal(said(1, 0, 0), 'It is as declared and well')
  assert.equal(said(3, 0, 0), 'All 3 are as declared and well')
  assert.equal(said(3, 1, 0), '1 needs you, 2 are well')
  assert.equal(said(2, 2, 0), '2 need you')
  assert.equal(said(3, 0, 1, 2), '2 under way, nothing needs you')
})

test('what is suspended and never ran is not called well', () => {
  assert.equal(said(1, 0, 1), 'Nothing needs you: 1 is suspended and never ran')
  assert.equal(said(3, 0, 2), '1 is as declared and well, 2 are suspended and never ran')
  assert.equal(said(4, 2, 1), '2 need you, 1 is well, 1 is suspended and never ran')
  assert.equal(said(3, 2, 1), '2 need you, 1 is suspended and never ran')
})

test('what was rolled back is not called as declared', () => {
  assert.equal(said(1, 0, 0, 0, 1), 'Nothing needs you: 1 is well and not the newest')
  assert.equal(said(3, 0, 0, 0, 1), '2 are as declared and well, 1 is well and not the newest')
})
