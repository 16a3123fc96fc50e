/** Several real processes on one home: none is inside with another, and a kill leaves everything readable. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { isLease, leaseOf } from '../../test/contract/leases.ts'
import { web } from '../../test/contract/store.ts'
import { openStore } from './open.ts'

const program = fileURLToPath(new URL('../../test/contract/store-process.ts', import.meta.url))

function start(deed: string, home: string) {
  return spawn(process.execPath, [program, deed, home], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function finished(deed: string, home: string): Promise<readonly number[]> {
  const child = start(deed, home)
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.equal(code, 0)
  return printed.trim().split('\n').map(Number)
}

async function inHome(work: (home: string) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'tend-store-'))
  try {
    await work(home)
  } finally {
    rmSync(home, { recursive: true })
  }
}

describe('several processes', () => {
  test('two contend for a lease 200 times each and are never both inside', () =>
    inHome(async (home) => {
      const entered = await Promise.all([finished('contend', home), finished('contend', home)])
      assert.deepEqual(entered, [[200], [200]])
    }))

  test('a lease is free at once when its holder is killed', () =>
    inHome(async (home) => {
      const child = start('hold', home)
      const exit = once(child, 'exit')
      const [line] = await once(child.stdout, 'data')
      assert.equal(String(line), 'held\n')
      const { store, leases } = await openStore({ home })
      const answer = await leases.take('chart:web', 'second')
      assert.ok(!isLease(answer))
      assert.equal(answer.name, `process ${child.pid}`)
      child.kill('SIGKILL')
      await exit
      const lease = leaseOf(await leases.take('chart:web', 'second'))
      assert.equal(lease.lost.aborted, false)
      await lease.release()
      await store.close()
    }))

  test('a lease that is not released does not keep its process', () =>
    inHome(async (home) => {
      const began = performance.now()
      await finished('leave', home)
      assert.ok(performance.now() - began < 10_000)
      const { store, leases } = await openStore({ home })
      await leaseOf(await leases.take('chart:web', 'second')).release()
      await store.close()
    }))

  test('a kill in the middle of appends loses nothing that was reported as kept', () =>
    inHome(async (home) => {
      const child = start('append', home)
      const exit = once(child, 'exit')
      let printed = ''
      for await (const chunk of child.stdout) {
        printed += String(chunk)
        if (printed.length > 2000) child.kill('SIGKILL')
      }
      await exit
      const reported = printed.slice(0, printed.lastIndexOf('\n')).split('\n').length
      const { store, warnings } = await openStore({ home })
      assert.deepEqual(warnings, [])
      const events = await store.events(web, 1)
      assert.ok(events.length >= reported, `${events.length} of ${reported}`)
      assert.deepEqual(
        events.map(({ at }) => at),
        Array.from(events, (_, i) => i + 1),
      )
      assert.equal((await store.runs(web))[0]?.outcome, undefined)
      assert.equal(await store.snapshot(web, 1).then((found) => found?.version), '1.0.0')
      await store.close()
    }))

  test('four that open a new home together and begin runs get distinct numbers', () =>
    inHome(async (home) => {
      const all = await Promise.all([1, 2, 3, 4].map(() => finished('begin', home)))
      const numbers = all.flat().toSorted((a, b) => a - b)
      assert.deepEqual(
        numbers,
        Array.from({ length: 100 }, (_, i) => i + 1),
      )
    }))
})
