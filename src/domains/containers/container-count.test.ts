import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOf } from './container-count.ts'

const job = { state: 'exited', isOneShot: true, exitCode: 0 } as const

test('a job that ended well is not one of those that are to run', () => {
  assert.deepEqual(countOf({ running: 1, total: 2 }, [job, { ...job, state: 'running' }]), {
    running: 1,
    total: 1,
    completed: 1,
  })
  assert.deepEqual(countOf({ running: 0, total: 1 }, [job]), { running: 0, total: 0, completed: 1 })
})

test('what failed, runs or was to run on counts as it did', () => {
  const all = { running: 1, total: 2 }
  assert.equal(countOf(all, [{ ...job, exitCode: 3 }]), all)
  assert.equal(countOf(all, [{ ...job, isOneShot: false }]), all)
  assert.equal(countOf(all, [{ ...job, state: 'created' }]), all)
  assert.deepEqual(countOf(undefined), { running: 0, total: 0 })
})
