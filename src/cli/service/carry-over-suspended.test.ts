import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryNotes } from '#store/memory.ts'
import { carryOverSuspended } from './carry-over-suspended.ts'

const key = 'fleet:lab'

test('a fleet that an earlier release noted as suspended stays so, until it is resumed', async () => {
  const notes = memoryNotes()
  const kept = async () => (await notes.read('service.app')).get(key)
  await notes.write('fleets-suspended', key, true)
  await carryOverSuspended(notes, { now: () => 5 })
  const persisted = { since: 5, from: '', removes: false, isRemoved: false, suspended: true }
  assert.deepEqual(await kept(), persisted)
  assert.equal((await notes.read('fleets-suspended')).size, 0)
  await notes.write('service.app', key, { ...persisted, suspended: false })
  await carryOverSuspended(notes, { now: () => 6 })
  assert.deepEqual(await kept(), { ...persisted, suspended: false })
})
