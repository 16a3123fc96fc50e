/** Tokens and suspensions outlive the database. */
import assert from 'node:assert/strict'
import { existsSync, globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Database } from './database.ts'
import { keepingNotes } from './durable-settings.ts'
import { migrate } from './migrations.ts'
import { openStore } from './open.ts'
import { openSqlite } from './sqlite.ts'

const token = { id: 'a', name: 'x', role: 'read', createdAt: 1, hash: 'h' }
const calm = { since: 1, from: '', removes: false, isRemoved: false, suspended: true }

function newHome(t: { after(end: () => void): void }): string {
  const home = mkdtempSync(join(tmpdir(), 'tend-keepsake-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  return home
}

function lose(home: string): void {
  for (const file of globSync(join(home, 'tend.db*'))) rmSync(file)
}

function spoil(home: string): void {
  lose(home)
  writeFileSync(
    join(home, 'tend.db'),
    'no database at all, but a long text in its place'.repeat(99),
  )
}

for (const harm of [lose, spoil]) {
  test(`a database that was lost: access and suspensions stay (${harm.name})`, async (t) => {
    const home = newHome(t)
    const { notes, store } = await openStore({ home })
    await notes.write('token', 'a', token)
    await notes.write('token', 'b', token)
    await notes.write('token', 'b', undefined)
    await notes.write('token', 'local', token)
    await notes.write('service.app', 'stack:calm', calm)
    await notes.write('service.app', 'stack:web', { ...calm, suspended: false })
    await notes.write('service.app', 'stack:again', calm)
    await notes.write('service.app', 'stack:again', { ...calm, suspended: false })
    await notes.write('fleets-suspended', 'fleet:one', true)
    await store.close()
    const file = join(home, 'keepsake.json')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(globSync(`${file}.*`), [])
    harm(home)
    const { notes: after, store: next } = await openStore({ home })
    assert.deepEqual([...(await after.read('token'))], [['a', token]])
    assert.deepEqual([...(await after.read('service.app'))], [['stack:calm', calm]])
    assert.deepEqual([...(await after.read('fleets-suspended'))], [['fleet:one', true]])
    await next.close()
  })
}

test('what was taken back stays so, and an earlier release is caught up with', async (t) => {
  const home = newHome(t)
  const first = await openStore({ home })
  assert.equal(existsSync(join(home, 'keepsake.json')), false)
  await first.notes.write('token', 'a', token)
  await first.notes.write('keepsake', 'seen', undefined)
  await first.store.close()
  rmSync(join(home, 'keepsake.json'))
  const second = await openStore({ home })
  assert.equal(existsSync(join(home, 'keepsake.json')), true)
  await second.notes.write('token', 'a', undefined)
  await second.store.close()
  lose(home)
  const third = await openStore({ home })
  assert.equal((await third.notes.read('token')).size, 0)
  await third.store.close()
})

test('a file that can not be read is no open door', async (t) => {
  const home = newHome(t)
  const first = await openStore({ home })
  await first.notes.write('token', 'a', token)
  await first.store.close()
  lose(home)
  writeFileSync(join(home, 'keepsake.json'), '{"token":')
  await assert.rejects(openStore({ home }), { code: 'store_unusable' })
})

test('a note of one application is written without reading those of all others', async (t) => {
  const home = newHome(t)
  const database = await openSqlite(join(home, 'tend.db'), 'own')
  t.after(() => database.close())
  await migrate(database, 'tend.db')
  let read = 0
  const counted: Database = {
    ...database,
    async rows(sql, cells) {
      const rows = await database.rows(sql, cells)
      read += rows.length
      return rows
    },
  }
  const notes = await keepingNotes(counted, join(home, 'keepsake.json'))
  const well = { ...calm, suspended: false }
  for (let n = 0; n < 100; n += 1) await notes.write('service.app', `stack:${n}`, well)
  read = 0
  await notes.write('service.app', 'stack:7', { ...well, since: 2 })
  assert.equal(read, 1)
})
