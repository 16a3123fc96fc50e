/** The store in memory is a store like the others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaseOf, leasesContract } from '../../test/contract/leases.ts'
import { notesContract } from '../../test/contract/notes.ts'
import { storeContract } from '../../test/contract/store.ts'
import { memoryLeases, memoryNotes, memoryStore } from './memory.ts'

storeContract('memory', async () => memoryStore())

notesContract('memory', async () => ({ notes: memoryNotes(), close: async () => {} }))

leasesContract('memory', async () => ({ leases: memoryLeases(Date.now), close: async () => {} }))

test('a seized lease is lost to its holder and free for the next', async () => {
  const leases = memoryLeases(() => 0)
  const first = leaseOf(await leases.take('chart:web', 'first'))
  leases.seize('chart:web')
  assert.equal(first.lost.aborted, true)
  const second = leaseOf(await leases.take('chart:web', 'second'))
  assert.equal(second.lost.aborted, false)
})
