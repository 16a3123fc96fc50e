/** One service a home: what happens to the place while nobody can hold it, and when another takes it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '#model/problem.ts'
import type { Database } from '#store/database.ts'
import { leasesOver } from '#store/leases.ts'
import { memoryNotes } from '#store/memory.ts'
import { migrate } from '#store/migrations.ts'
import { isGone, ownMark } from '#store/process-mark.ts'
import { openSqlite } from '#store/sqlite.ts'
import { keptTokens, setLocalToken } from '#server/access/tokens.ts'
import { localToken, noteFile, readNote, removeNote, writeNote } from './note.ts'
import { onlyOne, type OnlyOne } from './only-one.ts'

const expiry = 15_000

async function place() {
  const state = { time: 0, isFull: false, takesRefused: 0 }
  const real = await openSqlite(':memory:', 'own', () => state.time)
  await migrate(real, ':memory:')
  function full(): void {
    if (state.isFull) throw new Error('database or disk is full')
  }
  function take(): void {
    if (state.isFull) state.takesRefused += 1
    full()
  }
  const database: Database = {
    ...real,
    rows: async (sql, cells) => (take(), real.rows(sql, cells)),
    change: async (sql, cells) => (full(), real.change(sql, cells)),
  }
  const parts = { monotonic: () => state.time, self: ownMark, isGone, heartbeat: 2, expiry }
  const leases = leasesOver(database, parts)
  const ask = (holder: string) =>
    onlyOne({
      leases,
      holder,
      clock: { sleep: (_, signal) => sleep(2, undefined, { signal }) },
      refusal: ({ name }) =>
        new Problem({ type: 'configuration', code: 'held', message: `${name} runs already` }),
    })
  return { state, real, ask }
}

function silentSince(real: Database): Promise<unknown> {
  return real.change('update leases set expires_at = 0', [])
}

test('a second one is refused, and one that was silent gives way to it', async () => {
  const { ask, real } = await place()
  const first = await ask('first')
  await assert.rejects(ask('second'), /first runs already/)
  let second: OnlyOne | undefined
  // its heartbeat may come in between
  while (second === undefined) {
    await silentSince(real)
    second = await ask('second').catch(() => undefined)
  }
  if (!first.lost.aborted) {
    await new Promise((resolve) => first.lost.addEventListener('abort', resolve, { once: true }))
  }
  assert.match(String(first.lost.reason), /second runs already/)
  await first.release()
  await assert.rejects(ask('third'), /second runs already/)
  await second.release()
  await (await ask('third')).release()
})

test('what a full disk took is taken again when there is room', async () => {
  const { ask, real, state } = await place()
  const first = await ask('first')
  const [before] = await real.rows('select token from leases', [])
  state.isFull = true
  state.time += expiry
  while (state.takesRefused === 0) await sleep(2)
  state.isFull = false
  for (;;) {
    const [now] = await real.rows('select token, expires_at from leases', [])
    if (now?.['token'] !== before?.['token']) break
    await sleep(2)
  }
  assert.equal(first.lost.aborted, false)
  await assert.rejects(ask('second'), /first runs already/)
  await first.release()
})

test('who leaves takes away its own note and token, not those of who came after', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tend-note-'))
  const [notes, clock] = [memoryNotes(), { now: () => 0 }]
  const first = await setLocalToken(notes, clock)
  writeNote(home, 'http://127.0.0.1:1', 0, first.text)
  const second = await setLocalToken(notes, clock)
  writeNote(home, 'http://127.0.0.1:2', 0, second.text)
  removeNote(home, first.text)
  await first.forget()
  assert.equal(readNote(home)?.url, 'http://127.0.0.1:2', noteFile(home))
  assert.equal(localToken(home), second.text)
  assert.equal((await keptTokens(notes)).length, 1)
  removeNote(home, second.text)
  await second.forget()
  assert.equal(readNote(home), undefined)
  assert.equal((await keptTokens(notes)).length, 0)
  rmSync(home, { recursive: true })
})
