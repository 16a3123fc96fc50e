/** Notes in SQLite: the contract, and that they outlive the process. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { notesContract } from '../../test/contract/notes.ts'
import { migrate } from './migrations.ts'
import { notesOver } from './notes.ts'
import { openStore } from './open.ts'
import { openSqlite } from './sqlite.ts'

notesContract('SQLite', async () => {
  const database = await openSqlite(':memory:')
  await migrate(database, ':memory:')
  return { notes: notesOver(database), close: () => database.close() }
})

test('notes are there when the home is opened again', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tend-notes-'))
  try {
    const first = await openStore({ home })
    await first.notes.write('suspended', 'stack:web', { since: 17 })
    await first.store.close()
    const second = await openStore({ home })
    assert.deepEqual([...(await second.notes.read('suspended'))], [['stack:web', { since: 17 }]])
    await second.store.close()
  } finally {
    rmSync(home, { recursive: true })
  }
})
