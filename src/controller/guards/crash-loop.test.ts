/** When repairs in vain are a failure. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PersistedState } from '../state/persisted-state.ts'
import { repairsAfter, stillUnproven, isCrashLooping } from './crash-loop.ts'

const ended = 'container/web-1: it has stopped (exit code 3)'
const desired = { hash: 'a', file: 'compose.yaml', inputs: { about: '', read: '' } }
const persisted: PersistedState = { since: 0, from: '', removes: false, isRemoved: false, desired }

/** Repaired so often, each time soon after the one before. */
function repaired(
  times: number,
  drift: string,
  between = 2_000,
): { persisted: PersistedState; now: number } {
  let now = 1_000_000
  let after = persisted
  for (let i = 0; i < times; i += 1) {
    now += between
    after = { ...after, repairs: repairsAfter({ persisted: after, drift }, now) }
  }
  return { persisted: after, now }
}

test('what ends with an error soon after each of three repairs has failed', () => {
  const twice = repaired(2, ended)
  assert.equal(
    isCrashLooping({ persisted: twice.persisted, drift: ended }, twice.now + 1500, 0),
    undefined,
  )
  const { persisted: thrice, now } = repaired(3, ended)
  const failure = isCrashLooping({ persisted: thrice, drift: ended }, now + 1500, 0)
  assert.match(failure!.reason, /^container\/web-1 ended with exit code 3 after each of 3 repairs$/)
  assert.equal(failure?.hash, 'a')
  assert.ok(failure.isPassing && failure.nextTry >= now + 1500 + 8_000)
  // told once for each repair
  const told = { ...thrice, failure: { ...failure, details: [] } }
  assert.equal(isCrashLooping({ persisted: told, drift: ended }, now + 1600, 0), undefined)
})

test('one that was killed and falls by itself from then on has not failed before three repairs of that', () => {
  const killed = repaired(1, 'container/web-1: it has stopped (exit code 137)')
  const now = killed.now + 2_000
  let after = killed.persisted
  for (const times of [1, 2, 3]) {
    assert.equal(isCrashLooping({ persisted: after, drift: ended }, now, 0), undefined, `${times}`)
    after = { ...after, repairs: repairsAfter({ persisted: after, drift: ended }, now) }
  }
  assert.match(isCrashLooping({ persisted: after, drift: ended }, now, 0)!.reason, /of 3 repairs$/)
})

test('ended well, changed by hand, or long after its repair: no failure', () => {
  const well = 'container/web-1: it has stopped (exit code 0)'
  const other = 'container/web-1: it is paused'
  for (const drift of [well, other]) {
    const { persisted: after, now } = repaired(5, drift)
    assert.equal(isCrashLooping({ persisted: after, drift }, now + 1500, 0), undefined)
  }
  const { persisted: after, now } = repaired(3, ended)
  assert.equal(isCrashLooping({ persisted: after, drift: ended }, now + 60_000, 0), undefined)
  const rare = repaired(5, ended, 10 * 60_000)
  assert.equal(
    isCrashLooping({ persisted: rare.persisted, drift: ended }, rare.now + 1500, 0),
    undefined,
  )
})

test('what was put back for another reason keeps that one', () => {
  const { persisted: after, now } = repaired(3, ended)
  const failure = isCrashLooping({ persisted: after, drift: ended }, now, 0)!
  const back = { ...failure, at: 0, isRolledBack: true, details: [] }
  assert.equal(
    isCrashLooping({ persisted: { ...after, failure: back }, drift: ended }, now, 0),
    undefined,
  )
})

test('a repair that went well proves nothing before it held', () => {
  const { persisted: after, now } = repaired(3, ended)
  const failure = isCrashLooping({ persisted: after, drift: ended }, now, 0)
  assert.equal(stillUnproven(failure, now + 5_000)?.provenAt, now + 65_000)
  assert.equal(stillUnproven({ ...failure!, provenAt: undefined }, now), undefined)
  assert.equal(stillUnproven(undefined, now), undefined)
})
