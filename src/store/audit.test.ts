/** The audit log: added and read, never changed, and bounded. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AuditEntry } from '#model/audit.ts'
import { auditOver } from './audit.ts'
import { migrate } from './migrations.ts'
import { openSqlite } from './sqlite.ts'

async function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'tend-audit-'))
  const file = join(folder, 'tend.db')
  const database = await openSqlite(file)
  await migrate(database, file)
  const audit = auditOver(database)
  async function close(): Promise<void> {
    await database.close()
    rmSync(folder, { recursive: true })
  }
  return { database, audit, close }
}

function entry(at: number, more: Partial<AuditEntry> = {}): AuditEntry {
  const about = { by: 'token', id: 'a1', who: 'deploy', address: '127.0.0.1', action: 'sync' }
  return { at, ...about, app: 'stack:web', status: 202, detail: '', count: 1, ...more }
}

test('rows come back newest first, page by page, by application, person and time', async () => {
  const { audit, close } = await opened()
  for (let at = 1; at <= 10; at += 1) {
    await audit.append(entry(at, { app: at % 2 === 0 ? 'stack:web' : 'stack:db', who: `w${at}` }))
  }
  const numbers = async (query: Parameters<typeof audit.read>[0]) =>
    (await audit.read(query)).map(({ number }) => number)
  assert.deepEqual(await numbers({ limit: 3 }), [10, 9, 8])
  assert.deepEqual(await numbers({ limit: 3, before: 8 }), [7, 6, 5])
  assert.deepEqual(await numbers({ limit: 10, app: 'stack:web' }), [10, 8, 6, 4, 2])
  assert.deepEqual(await numbers({ limit: 10, who: 'w3' }), [3])
  assert.deepEqual(await numbers({ limit: 10, who: 'a1', since: 9 }), [10, 9])
  assert.deepEqual(await numbers({ limit: 2, until: 4 }), [4, 3])
  assert.deepEqual((await audit.read({ limit: 1 }))[0], {
    number: 10,
    ...entry(10, { who: 'w10' }),
  })
  await close()
})

test('the database itself refuses to change rows, and to remove new ones', async () => {
  const { database, audit, close } = await opened()
  for (let at = 1; at <= 1_005; at += 1) await audit.append(entry(at))
  await assert.rejects(database.change("update audit set who = 'me'"), /never changed/)
  await assert.rejects(database.change('delete from audit where number = 6'), /never removed/)
  await assert.rejects(database.change('delete from audit'), /never removed/)
  assert.equal(await database.change('delete from audit where number = 5'), 1)
  await close()
})

test('what is too old or too much goes, but never the newest thousand', async () => {
  const { audit, close } = await opened()
  for (let at = 1; at <= 1_500; at += 1) await audit.append(entry(at))
  await audit.forgetOld({ rows: 1_200, age: 1_000_000 }, 1_500)
  assert.equal((await audit.read({ limit: 5_000 })).length, 1_200)
  await audit.forgetOld({ rows: 1, age: 1 }, 10_000)
  assert.equal((await audit.read({ limit: 5_000 })).length, 1_000)
  await audit.append(entry(2_000))
  assert.equal((await audit.read({ limit: 1 }))[0]?.number, 1_501)
  await close()
})
