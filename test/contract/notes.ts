/** What all notes do, whatever they are kept in. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '#model/json.ts'
import type { Notes } from '#model/store.ts'

export function notesContract(
  name: string,
  make: () => Promise<{ readonly notes: Notes; close(): Promise<void> }>,
): void {
  void describe(`${name} as notes`, () => {
    function behaves(how: string, work: (notes: Notes) => Promise<void>): void {
      void test(how, async () => {
        const made = await make()
        try {
          await work(made.notes)
        } finally {
          await made.close()
        }
      })
    }

    async function read(notes: Notes, topic: string): Promise<Json> {
      return Object.fromEntries(await notes.read(topic))
    }

    behaves('nothing was noted yet', async (notes) => {
      assert.deepEqual(await read(notes, 'suspended'), {})
    })

    behaves('what was written is read, by its topic', async (notes) => {
      await notes.write('suspended', 'stack:web', true)
      await notes.write('tokens', 'stack:web', { role: 'read', at: 17, names: ['ü', "'"] })
      assert.deepEqual(await read(notes, 'suspended'), { 'stack:web': true })
      assert.deepEqual(await read(notes, 'tokens'), {
        'stack:web': { role: 'read', at: 17, names: ['ü', "'"] },
      })
    })

    behaves('the last word counts', async (notes) => {
      await notes.write('retries', 'stack:web', { failures: 1 })
      await notes.write('retries', 'stack:web', { failures: 2 })
      await notes.write('retries', 'stack:db', null)
      assert.deepEqual(await read(notes, 'retries'), {
        'stack:web': { failures: 2 },
        'stack:db': null,
      })
    })

    behaves('what is forgotten is gone, and only that', async (notes) => {
      await notes.write('suspended', 'stack:web', true)
      await notes.write('suspended', 'stack:db', true)
      await notes.write('suspended', 'stack:web', undefined)
      await notes.write('suspended', 'stack:nobody', undefined)
      assert.deepEqual(await read(notes, 'suspended'), { 'stack:db': true })
    })

    behaves('what is added is never written over, and one of many adds it', async (notes) => {
      assert.equal(await notes.get('seen', 'one'), undefined)
      const all = await Promise.all(
        Array.from({ length: 8 }, (_, at) => notes.add('seen', 'one', { at })),
      )
      assert.equal(all.filter(Boolean).length, 1)
      assert.deepEqual(await notes.get('seen', 'one'), { at: all.indexOf(true) })
      await notes.write('seen', 'one', undefined)
      assert.equal(await notes.add('seen', 'one', true), true)
      assert.equal(await notes.get('seen', 'one'), true)
    })

    behaves('a note that was read does not change any more', async (notes) => {
      await notes.write('retries', 'stack:web', { failures: 1 })
      const before = await notes.read('retries')
      await notes.write('retries', 'stack:web', { failures: 2 })
      assert.deepEqual(before.get('stack:web'), { failures: 1 })
    })
  })
}
