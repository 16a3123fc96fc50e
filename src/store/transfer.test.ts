import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewRun } from '#model/store.ts'
import type { Database } from './database.ts'
import { migrate } from './migrations.ts'
import { notesOver } from './notes.ts'
import { storeOver } from './runs.ts'
import { openSqlite } from './sqlite.ts'
import { exported, imported } from './transfer.ts'

const key = new Uint8Array(32)
const web = { kind: 'stack', namespace: null, name: 'web' }

async function opened(): Promise<Database> {
  const database = await openSqlite(':memory:')
  await migrate(database, ':memory:')
  return database
}

/** One application with a secret and more events than a page has. */
async function filled(): Promise<Database> {
  const database = await opened()
  const store = storeOver(database, key)
  const secrets = new Map([['password', new TextEncoder().encode('hunter2')]])
  const snapshot = { version: '1', resources: [], secrets, source: null }
  const run: NewRun = {
    application: web,
    trigger: 'manual',
    version: '1',
    startedAt: 1,
    since: 1,
    hash: 'h',
    snapshot,
  }
  for (let count = 0; count < 3; count += 1) {
    const number = await store.begin(run)
    for (let at = 1; at <= 700; at += 1) {
      await store.append(web, number, { at, type: 'warning', text: `event ${at}` })
    }
  }
  await notesOver(database).write('service.app', 'stack:web', { suspended: true })
  await notesOver(database).write('key', 'mark', 'of the first')
  await notesOver(database).write('replicas', 'leader', { url: 'http://gone' })
  return database
}

async function linesOf(database: Database): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of exported(database)) lines.push(line)
  return lines
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

test('many pages come whole and in order, each row once', async () => {
  const [one, two] = [await filled(), await opened()]
  const lines = await linesOf(one)
  assert.equal(new Set(lines).size, lines.length)
  const counts = await imported(two, each(lines), 'two', key)
  assert.equal(counts['events'], 2_100)
  for (const run of [1, 3]) {
    const stores = [storeOver(one, key), storeOver(two, key)] as const
    assert.deepEqual(await stores[1].events(web, run), await stores[0].events(web, run))
    assert.deepEqual(await stores[1].snapshot(web, run), await stores[0].snapshot(web, run))
  }
  await Promise.all([one.close(), two.close()])
})

test('a page is found where the one before ended: no row is gone through twice', async () => {
  const one = await filled()
  const asked: string[] = []
  const counting = {
    ...one,
    rows: (sql: string, cells = []) => (asked.push(sql), one.rows(sql, cells)),
  }
  for await (const _ of exported(counting)) continue
  assert.ok(asked.length > 8)
  assert.ok(asked.every((sql) => !sql.includes('offset')))
  await one.close()
})

test('secrets of another key are refused before anything is written, unless somebody is sure', async () => {
  const [one, two] = [await filled(), await opened()]
  const lines = await linesOf(one)
  const other = new Uint8Array(32).fill(7)
  await assert.rejects(imported(two, each(lines), 'two', other), /encrypted with another key/)
  const [row] = await two.rows('select count(*) as n from applications')
  assert.equal(Number(row?.['n']), 0)
  await imported(two, each(lines), 'two')
  await Promise.all([one.close(), two.close()])
})

test('whose key a place has, and which replicas it has, stays as it is there', async () => {
  const [one, two] = [await filled(), await opened()]
  await notesOver(two).write('key', 'mark', 'of the second')
  await imported(two, each(await linesOf(one)), 'two', key)
  assert.deepEqual([...(await notesOver(two).read('key'))], [['mark', 'of the second']])
  assert.deepEqual([...(await notesOver(two).read('replicas'))], [])
  assert.equal((await notesOver(two).read('service.app')).size, 1)
  await Promise.all([one.close(), two.close()])
})
