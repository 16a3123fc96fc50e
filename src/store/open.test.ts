/** A home on disk: the store's contract on SQLite, modes of files, and what is done about damage. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { Problem } from '#model/problem.ts'
import type { Store } from '#model/store.ts'
import { newRun, snapshotOf, storeContract, succeeded, web } from '../../test/contract/store.ts'
import { openStore } from './open.ts'

const scratch = mkdtempSync(join(tmpdir(), 'tend-open-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
let made = 0

function newHome(): string {
  made += 1
  return join(scratch, `home-${made}`)
}

storeContract('SQLite', async () => (await openStore({ home: newHome() })).store)

function unusable(message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.code, 'store_unusable')
    assert.match(error.message, message)
    assert.ok(error.suggestion)
    return true
  }
}

/** What a direct look at the file finds. */
function inspect(home: string, sql: string): unknown[] {
  const database = new DatabaseSync(join(home, 'tend.db'))
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }))
  } finally {
    database.close()
  }
}

async function someHistory(home: string, runs = 1): Promise<Store> {
  const { store } = await openStore({ home })
  for (let run = 1; run <= runs; run++) {
    await store.begin({ ...newRun(), snapshot: snapshotOf('1.0.0', { password: 'hunter2' }) })
    await store.append(web, run, { at: 1, type: 'warning', text: 'x'.repeat(2000) })
    await store.end(web, run, succeeded)
  }
  return store
}

describe('a home', () => {
  test('is for its user only, and holds no secret in plain', async () => {
    const home = newHome()
    const store = await someHistory(home)
    assert.equal(statSync(home).mode & 0o777, 0o700)
    const files = readdirSync(home)
    assert.deepEqual(files.toSorted(), ['key', 'tend.db', 'tend.db-shm', 'tend.db-wal'])
    for (const file of files) {
      assert.equal(statSync(join(home, file)).mode & 0o777, 0o600, file)
      assert.equal(readFileSync(join(home, file)).includes('hunter2'), false, file)
    }
    await store.close()
  })

  test('lists the newest thousand runs, the last good one, and where a life ended', async () => {
    const home = newHome()
    const { store } = await openStore({ home })
    for (const result of [succeeded, { ...succeeded, isUninstalled: true }]) {
      await store.begin(newRun())
      await store.end(web, (await store.runs(web)).length, result)
    }
    inspect(
      home,
      `with recursive more(number) as (select 3 union all select number + 1 from more where number < 1005)
       insert into runs (application, number, started_by, version, started_at, is_rolled_back,
       is_uninstalled, hash, source, outcome)
       select application, more.number, started_by, version, started_at, 0, 0, hash, source, 'failed'
       from runs, more where runs.number = 1`,
    )
    inspect(home, 'update applications set last_run = 1005')
    assert.equal(await store.begin(newRun()), 1_006)
    const numbers = (await store.runs(web)).map(({ number }) => number)
    assert.deepEqual([numbers.length, numbers[0]], [1_002, 1_006])
    assert.deepEqual(numbers.slice(-3), [7, 2, 1])
    assert.equal((await store.snapshot(web, 1))?.version, '1.0.0')
    await store.close()
  })

  test('that was there keeps its mode, its files do not', async () => {
    const home = newHome()
    mkdirSync(home, { mode: 0o755 })
    writeFileSync(join(home, 'tend.db'), '', { mode: 0o644 })
    const { store } = await openStore({ home })
    assert.equal(statSync(home).mode & 0o777, 0o755)
    assert.equal(statSync(join(home, 'tend.db')).mode & 0o777, 0o600)
    await store.close()
  })

  test('remembers what it was told, also when it was not closed', async () => {
    const home = newHome()
    const first = await someHistory(home)
    const second = await openStore({ home })
    assert.deepEqual(await second.store.runs(web), await first.runs(web))
    assert.deepEqual(second.warnings, [])
    await first.close()
    await second.store.close()
    const third = await openStore({ home })
    const secrets = (await third.store.snapshot(web, 1))?.secrets
    assert.equal(String(secrets?.get('password')), 'hunter2')
    await third.store.close()
  })

  test('keeps a snapshot that is applied again once', async () => {
    const home = newHome()
    const store = await someHistory(home, 5)
    await store.begin(newRun('2.0.0'))
    await store.close()
    assert.deepEqual(inspect(home, 'select count(*) as n from snapshots'), [{ n: 2 }])
  })

  test('drops snapshots that no run holds any more', async () => {
    const home = newHome()
    const { store } = await openStore({ home })
    for (let number = 1; number <= 60; number++) await store.begin(newRun(`${number}`))
    await store.close()
    assert.deepEqual(inspect(home, 'select count(*) as n from snapshots'), [{ n: 50 }])
  })

  test('takes a key from elsewhere, and refuses secrets of another', async () => {
    const home = newHome()
    const keyFile = join(scratch, 'given-key')
    writeFileSync(keyFile, new Uint8Array(32).fill(9))
    await (await someHistory(home)).close()
    const { store, key } = await openStore({ home, keyFile })
    assert.deepEqual(
      [...key],
      Array.from({ length: 32 }, () => 9),
    )
    assert.equal((await store.runs(web)).length, 1)
    await assert.rejects(store.snapshot(web, 1), unusable(/encrypted with another key/))
    await store.close()
    await assert.rejects(
      openStore({ home, keyFile: join(scratch, 'no-key') }),
      unusable(/there is no key/),
    )
  })

  test('warns when the key was lost and the history not', async () => {
    const home = newHome()
    await (await someHistory(home)).close()
    rmSync(join(home, 'key'))
    const { store, warnings } = await openStore({ home })
    assert.match(warnings.join(), /there was no key in .*, so a new one was made/)
    await store.close()
  })

  test('of a newer Tend is refused, untouched', async () => {
    const home = newHome()
    await (await someHistory(home)).close()
    inspect(home, 'update tend_schema set version = 99')
    await assert.rejects(
      openStore({ home }),
      unusable(/newer Tend \(schema 99, this one knows \d+\)/),
    )
    assert.deepEqual(inspect(home, 'select count(*) as n from runs'), [{ n: 1 }])
  })

  test('on a server is named by its address, and nothing of that is shown', async () => {
    for (const address of ['/tmp/x.db', 'mysql://me:secret@here/x', 'here:5432/x']) {
      await assert.rejects(openStore({ home: newHome(), address }), (thrown: unknown) => {
        assert.ok(thrown instanceof Problem, String(thrown))
        assert.equal(thrown.code, 'usage')
        assert.match(thrown.message, /does not begin with postgres:/)
        assert.doesNotMatch(thrown.message, /secret/)
        return true
      })
    }
    // a variable that is set to nothing
    await (await openStore({ home: newHome(), address: '' })).store.close()
  })

  test('that can not be made says so', async () => {
    writeFileSync(join(scratch, 'file'), '')
    await assert.rejects(openStore({ home: join(scratch, 'file/home') }), unusable(/can't be made/))
    const home = newHome()
    mkdirSync(join(home, 'tend.db'), { recursive: true })
    await assert.rejects(openStore({ home }), unusable(/tend\.db can't be opened/))
  })
})

describe('a damaged database', () => {
  const clock = { now: () => Date.UTC(2025, 0, 2, 3, 4, 5) }
  let key = new Uint8Array()

  async function mended(home: string): Promise<void> {
    const opened = await openStore({ home, clock })
    const aside = join(home, 'tend.db.broken-20250102T030405.000Z')
    assert.match(opened.warnings.join(), /tend\.db was damaged: it is now .*History is lost/)
    assert.ok(existsSync(aside))
    assert.deepEqual(opened.key, key)
    assert.deepEqual(await opened.store.applications(), [])
    assert.equal(await opened.store.begin(newRun()), 1)
    await opened.store.close()
    const again = await openStore({ home, clock })
    assert.deepEqual(again.warnings, [])
    assert.equal((await again.store.runs(web)).length, 1)
    await again.store.close()
  }

  async function damagedHome(damage: (file: string) => void): Promise<string> {
    const home = newHome()
    await (await someHistory(home, 20)).close()
    key = readFileSync(join(home, 'key'))
    damage(join(home, 'tend.db'))
    return home
  }

  test('that is no database at all is put aside', async () => {
    await mended(await damagedHome((file) => writeFileSync(file, 'no database '.repeat(1000))))
  })

  test('whose first page is spoilt is put aside', async () => {
    await mended(
      await damagedHome((file) => {
        const content = readFileSync(file)
        writeFileSync(file, content.fill(0xff, 100, 4096))
      }),
    )
  })

  test('that was cut off is put aside', async () => {
    const home = await damagedHome((file) => truncateSync(file, 5000))
    await mended(home)
  })

  test('that shows it only when it is read is put aside by the next', async () => {
    const home = await damagedHome((file) => {
      const database = new DatabaseSync(file)
      const page = Number(
        database.prepare("select rootpage from sqlite_schema where name = 'runs'").get()?.[
          'rootpage'
        ],
      )
      database.close()
      const content = readFileSync(file)
      writeFileSync(file, content.fill(0xff, (page - 1) * 4096, page * 4096))
    })
    const { store, warnings } = await openStore({ home, clock })
    assert.deepEqual(warnings, [])
    await assert.rejects(store.runs(web), unusable(/is damaged/))
    await store.close()
    await mended(home)
  })

  test('with its log left behind does not spoil the new one', async () => {
    const home = newHome()
    await (await someHistory(home, 20)).close()
    key = readFileSync(join(home, 'key'))
    const { store } = await openStore({ home })
    await store.append(web, 20, { at: 2, type: 'opened', run: 20 })
    const log = readFileSync(join(home, 'tend.db-wal'))
    await store.close()
    writeFileSync(join(home, 'tend.db'), 'no database '.repeat(1000))
    writeFileSync(join(home, 'tend.db-wal'), log)
    await mended(home)
    assert.ok(existsSync(join(home, 'tend.db.broken-20250102T030405.000Z-wal')))
  })
})

describe('speed', () => {
  let store: Store
  before(async () => {
    store = (await openStore({ home: newHome() })).store
  })
  after(() => store.close())

  test('10,000 events', async (t) => {
    await store.begin(newRun())
    const text = 'Creating container web '.repeat(10)
    const began = performance.now()
    for (let at = 0; at < 10_000; at++) await store.append(web, 1, { at, type: 'warning', text })
    const appended = performance.now()
    assert.equal((await store.events(web, 1)).length, 10_000)
    const [write, read] = [appended - began, performance.now() - appended].map(Math.round)
    t.diagnostic(`appended in ${write} ms, read in ${read} ms`)
  })
})

test('a home where nothing can be made is told, at once', async () => {
  await assert.rejects(
    openStore({ home: '/proc/tend/home' }),
    (thrown) => thrown instanceof Problem && thrown.code === 'store_unusable',
  )
})
