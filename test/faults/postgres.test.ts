/** Every question to a real PostgreSQL fails in every way, or the process stops there: a plain run converges, and no two ran at once. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { reconcile } from '#engine/reconcile.ts'
import type { Request } from '#engine/request.ts'
import type { Event } from '#model/event.ts'
import type { Database } from '#store/database.ts'
import { leasesOver, monotonic } from '#store/leases.ts'
import { migrate } from '#store/migrations.ts'
import { openPostgres } from '#store/postgres.ts'
import { storeOver } from '#store/runs.ts'
import { filesKind, filesTarget } from '../kinds/files/domain.ts'
import { renderFiles } from '../kinds/files/render.ts'
import { drivenOf, systemClock, usualOptions, type Driven } from '../testbed/drive.ts'
import { requiredPostgres, startPostgres, type Postgres } from '../testbed/postgres.ts'
import { startDatabaseProxy, type DatabaseFault } from '../testbed/postgres-proxy.ts'
import { faultsIn } from './history.ts'
import { keepHistory, readHistory } from './keep-history.ts'
import { tallyOf } from './tally.ts'

const isWhole = process.env['TEND_FAULTS'] === 'all'
const never = new AbortController().signal
const seed = new Uint8Array([7])
const application = { kind: 'files', namespace: null, name: 'small' }
const tally = tallyOf('PostgreSQL')

/** Longer than a question is waited for is minutes for all of them: the sample leaves that out. */
const faults: readonly DatabaseFault[] = isWhole
  ? ['refuse', 'cut-before', 'cut-after', 'garbage', 'hang']
  : ['refuse', 'cut-before', 'cut-after', 'garbage']

type Deed = 'first' | 'second' | 'uninstall'
const files: Readonly<Record<'first' | 'second', Readonly<Record<string, string>>>> = {
  first: { 'a.json': '1', 'b.after-a.json': '2', 'old.txt': 'old' },
  second: { 'a.json': '3', 'b.after-a.json': '2', 'new.txt': 'new' },
}

describe('faults of PostgreSQL', { skip: requiredPostgres() }, () => {
  let server: Postgres
  before(async () => {
    server = await startPostgres()
  })
  after(() => server?.close())

  async function sweep(deed: Deed, earlier: readonly Deed[]): Promise<void> {
    const address = server.database()
    const direct = await openPostgres(address)
    await migrate(direct, address)
    await keepHistory(direct)
    const proxy = await startDatabaseProxy(server.port)
    const through = address.replace(`:${server.port}/`, `:${proxy.port}/`)
    assert.notEqual(through, address)
    const folder = mkdtempSync(join(tmpdir(), 'tend-faults-'))
    writeFileSync(join(folder, 'stranger.txt'), 'not ours')

    async function well(one: Deed): Promise<void> {
      const { end, text } = await run(direct, folder, one)
      assert.equal(end.outcome, 'succeeded', text)
    }
    async function prepared(): Promise<void> {
      await well('uninstall')
      for (const one of earlier) await well(one)
    }
    try {
      await prepared()
      await well(deed)
      const wanted = contentOf(folder)
      await prepared()
      const measured = await openPostgres(through)
      proxy.plan(() => 'pass')
      const { end, text } = await run(measured, folder, deed)
      assert.equal(end.outcome, 'succeeded', text)
      await measured.close()
      const count = proxy.count()
      const step = isWhole ? 1 : Math.ceil(count / 5)
      for (let number = 1; number <= count; number += step) {
        for (const fault of faults) {
          tally.tried(fault)
          await prepared()
          const database = await openPostgres(through)
          proxy.plan((question) => (question === number ? fault : 'pass'))
          await run(database, folder, deed, short)
          await database.close()
          await well(deed)
          const where = `${fault} at question ${number} of ${count}`
          assert.deepEqual(contentOf(folder), wanted, where)
          assert.equal(wanted['stranger.txt'], 'not ours')
          assert.deepEqual(faultsIn(await readHistory(direct)), [], where)
          tally.converged(fault)
        }
      }
    } finally {
      await proxy.stop()
      await direct.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }

  test('an install', () => sweep('first', []))
  test('an upgrade', () => sweep('second', ['first']))
  test('an uninstall', () => sweep('uninstall', ['first']))
})

/** Where something fails terms are short, so that one that could not be given back is over soon. */
const short = { heartbeat: 100, expiry: 1000 }
/** A busy machine is no fault. */
const usual = { heartbeat: 1000, expiry: 15_000 }

async function run(database: Database, folder: string, deed: Deed, terms = usual): Promise<Driven> {
  const leases = leasesOver(database, {
    monotonic,
    self: () => undefined,
    isGone: () => false,
    ...terms,
  })
  const request: Request = {
    application,
    instance: 'test',
    trigger: 'manual',
    isDryRun: false,
    isUninstall: deed === 'uninstall',
    render: () => rendered(deed),
    revision: deed,
    since: 1000,
    source: null,
    holder: 'a test',
    options: { ...usualOptions, timeout: 30_000 },
  }
  const store = storeOver(database, new Uint8Array(32))
  const target = filesTarget(folder)
  const parts = { kind: filesKind, target, clock: systemClock, store, leases }
  const events: Event[] = []
  for await (const event of reconcile(request, parts, never)) events.push(event)
  return drivenOf(events)
}

function rendered(deed: Deed): ReturnType<typeof renderFiles> {
  const texts = deed === 'uninstall' ? {} : files[deed]
  const encoder = new TextEncoder()
  const tree = {
    root: 'files',
    list: () => Object.keys(texts).toSorted(),
    read: (path: string) => (texts[path] === undefined ? undefined : encoder.encode(texts[path])),
  }
  return renderFiles(tree, seed)
}

function contentOf(folder: string): Readonly<Record<string, string>> {
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => !name.startsWith('.'))
    : []
  return Object.fromEntries(
    names.toSorted().map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}
