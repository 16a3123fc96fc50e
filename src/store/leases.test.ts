/** Leases in SQLite: the contract, expiry, takeover of dead holders, and how a holder learns of its loss. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Problem } from '#model/problem.ts'
import { fenceContract } from '../../test/contract/fence.ts'
import { leaseOf, leasesContract } from '../../test/contract/leases.ts'
import type { Database } from './database.ts'
import { leasesOver, monotonic, type LeaseParts } from './leases.ts'
import { migrate } from './migrations.ts'
import { isGone, ownMark } from './process-mark.ts'
import { storeOver } from './runs.ts'
import { openSqlite } from './sqlite.ts'

async function inMemory(now: () => number = () => 0): Promise<Database> {
  const database = await openSqlite(':memory:', 'own', now)
  await migrate(database, ':memory:')
  return database
}

function partsOf(changes: Partial<LeaseParts>): LeaseParts {
  const times = { heartbeat: 3000, expiry: 15_000 }
  return { monotonic, self: ownMark, isGone, ...times, ...changes }
}

leasesContract('SQLite', async () => {
  const database = await inMemory()
  return { leases: leasesOver(database, partsOf({})), close: () => database.close() }
})

fenceContract('SQLite', async () => {
  const database = await inMemory()
  return {
    store: storeOver(database, new Uint8Array(32)),
    leases: leasesOver(database, partsOf({ self: () => undefined })),
    async expire(key) {
      await database.change('update leases set expires_at = -1 where key = ?', [key])
    },
  }
})

describe('leases in SQLite', () => {
  test('one that nobody renews is taken over when it expires, and not a moment before', async () => {
    let time = 1000
    const database = await inMemory(() => time)
    const leases = leasesOver(database, partsOf({ self: () => undefined }))
    await leases.take('chart:web', 'first')
    time += 14_999
    assert.deepEqual(await leases.take('chart:web', 'second'), { name: 'first', since: 1000 })
    time += 1
    leaseOf(await leases.take('chart:web', 'second'))
    assert.deepEqual(await leases.take('chart:web', 'third'), { name: 'second', since: 16_000 })
    await database.close()
  })

  test('the heartbeat keeps it', async () => {
    let time = 0
    const database = await inMemory(() => time)
    const leases = leasesOver(database, partsOf({ heartbeat: 5 }))
    const lease = leaseOf(await leases.take('chart:web', 'first'))
    for (; time < 60_000; time += 10_000) {
      await setTimeout(15)
      assert.deepEqual(await leases.take('chart:web', 'second'), { name: 'first', since: 0 })
    }
    assert.equal(lease.lost.aborted, false)
    await lease.release()
    await database.close()
  })

  test('whoever was taken over learns it at the next heartbeat, and frees nothing', async () => {
    let time = 0
    const database = await inMemory(() => time)
    const slow = leasesOver(database, partsOf({ heartbeat: 30 }))
    const first = leaseOf(await slow.take('chart:web', 'first'))
    time = 20_000
    const others = leasesOver(database, partsOf({}))
    leaseOf(await others.take('chart:web', 'second'))
    assert.equal(first.lost.aborted, false)
    await once(first.lost, 'abort')
    assert.ok(first.lost.reason instanceof Problem)
    assert.match(first.lost.reason.message, /lease of chart:web was lost: another run took over/)
    await first.release()
    assert.deepEqual(await others.take('chart:web', 'x'), { name: 'second', since: 20_000 })
    await database.close()
  })

  test('a database that does not answer for as long as a lease lasts means it is lost', async () => {
    const database = await inMemory()
    let time = 0
    const broken = { ...database, change: () => Promise.reject(new Error('no disk')) }
    const leases = leasesOver(broken, partsOf({ monotonic: () => time, heartbeat: 5 }))
    const lease = leaseOf(await leases.take('chart:web', 'first'))
    await setTimeout(30)
    assert.equal(lease.lost.aborted, false)
    time = 15_000
    await once(lease.lost, 'abort')
    assert.match(String(lease.lost.reason), /can't be reached/)
    await database.close()
  })

  test('a question that is never answered does not keep a holder from knowing that its time is over', async () => {
    const database = await inMemory()
    let time = 0
    const silent = { ...database, change: () => new Promise<number>(() => {}) }
    const leases = leasesOver(silent, partsOf({ monotonic: () => time, heartbeat: 5 }))
    const lease = leaseOf(await leases.take('chart:web', 'first'))
    assert.equal(lease.isHeld(), true)
    time = 15_000
    assert.equal(lease.isHeld(), false)
    await once(lease.lost, 'abort')
    await database.close()
  })

  test('whoever sets its own clock forward takes nothing from anybody', async () => {
    const database = await inMemory(() => 1_000)
    const first = leasesOver(database, partsOf({ self: () => undefined }))
    leaseOf(await first.take('chart:web', 'first'))
    const ahead = leasesOver(database, partsOf({ monotonic: () => 60_000_000 }))
    assert.deepEqual(await ahead.take('chart:web', 'ahead'), { name: 'first', since: 1_000 })
    await database.close()
  })

  test('a dead holder is taken over at once, by one only', async () => {
    const database = await inMemory()
    const dead = { machine: 'here', pid: 4711, start: '1' }
    const before = leasesOver(database, partsOf({ self: () => dead }))
    await before.take('chart:web', 'dead')
    const asked: unknown[] = []
    const after = leasesOver(
      database,
      partsOf({
        isGone(mark) {
          asked.push(mark)
          return mark.pid === 4711
        },
      }),
    )
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => after.take('chart:web', name)))
    assert.equal(answers.filter((answer) => 'release' in answer).length, 1)
    assert.deepEqual(asked[0], dead)
    await database.close()
  })
})

describe('marks of processes', () => {
  test('this one lives; an unused number, another start are gone; elsewhere nobody knows', () => {
    const mark = ownMark()
    assert.ok(mark !== undefined)
    assert.equal(isGone(mark), false)
    assert.equal(isGone({ ...mark, start: '1' }), true)
    assert.equal(isGone({ ...mark, pid: 2 ** 22 + 1 }), true)
    assert.equal(isGone({ ...mark, machine: 'elsewhere', pid: 2 ** 22 + 1 }), false)
  })

  test('one that ended and was not waited for is gone, though it has its number still', async () => {
    const mark = ownMark()
    assert.ok(mark !== undefined)
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 20'])
    const exit = once(parent, 'exit')
    const [line] = await once(parent.stdout, 'data')
    const pid = Number(line)
    let fields: readonly string[] = []
    while (fields[2] !== 'Z') {
      await setTimeout(10)
      fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
    }
    assert.equal(isGone({ ...mark, pid, start: fields[21]! }), true)
    parent.kill('SIGKILL')
    await exit
  })
})
