/** Every question that a replica puts to PostgreSQL to be one of several fails in every way: what it is to look after, tell and show comes through. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openPeers, type Peers } from '#controller/replicas/peers.ts'
import type { Json } from '#model/json.ts'
import type { Membership, Replicas } from '#model/replicas.ts'
import type { Database } from '#store/database.ts'
import { monotonic } from '#store/leases.ts'
import { migrate } from '#store/migrations.ts'
import { openPostgres } from '#store/postgres.ts'
import { replicasOver } from '#store/replicas.ts'
import { requiredPostgres, startPostgres, type Postgres } from '../testbed/postgres.ts'
import { startDatabaseProxy, type DatabaseFault } from '../testbed/postgres-proxy.ts'
import { waitFor } from '../testbed/serving.ts'
import { tallyOf } from './tally.ts'

const isWhole = process.env['TEND_FAULTS'] === 'all'
const tally = tallyOf('PostgreSQL, exchanges')
const target = 'stack unix:///a'
/** One that hangs takes a membership with it, which is ten seconds for each: the sample leaves that out. */
const faults: readonly DatabaseFault[] = isWhole
  ? ['refuse', 'cut-before', 'cut-after', 'garbage', 'hang']
  : ['refuse', 'cut-before', 'cut-after', 'garbage']

type Heard = { readonly words: Json[]; readonly shown: Map<string, Json | undefined> }

describe('faults of exchanges', { skip: requiredPostgres() }, () => {
  let server: Postgres
  before(async () => {
    server = await startPostgres()
  })
  after(() => server?.close())

  async function opened(
    database: Database,
    key: string | undefined,
    heard: Heard,
  ): Promise<{ readonly peers: Peers; readonly membership: Membership }> {
    const replicas: Replicas = replicasOver(database, { monotonic, expiry: 9_000 })
    const name = key ?? 'far'
    const membership = await replicas.join({ name, url: '', host: name, offers: [], wants: 0 })
    const peers = await openPeers({
      membership,
      replicas,
      name,
      instance: 'tend',
      host: name,
      log: () => undefined,
      concurrency: () => 4,
      stepAside: (leader) => assert.fail(`${leader} leads`),
    })
    await peers.announce(`http://${name}`)
    await peers.begin({
      known: () => (key === undefined ? [] : [{ key, target, isBusy: false }]),
      offers: () => (key === undefined ? [] : [{ target, engine: 'e', isSeen: true }]),
      gained: async () => undefined,
      taken: () => undefined,
      lost: () => undefined,
      heard: (word) => void heard.words.push(word),
      showed: (shown, body) => void heard.shown.set(shown, body),
      changed: () => undefined,
    })
    return { peers, membership }
  }

  /** As a replica lives: when it no longer counts as alive it begins anew. */
  async function lives(database: Database, key: string, isHeard: () => boolean): Promise<void> {
    for (let tries = 0; tries < 5; tries += 1) {
      const begun = await opened(database, key, { words: [], shown: new Map() }).catch(
        () => undefined,
      )
      if (begun === undefined) continue
      const { peers, membership } = begun
      const isLost = (): boolean => membership.lost.aborted
      await waitFor(() => isLost() || peers.isOurs(key))
      let isKept = false
      while (!isLost() && !isKept) {
        isKept = await peers.keep(key, 'service.app', { key }).then(
          () => true,
          () => false,
        )
      }
      peers.tell({ key })
      peers.show(`app ${key}`, { key })
      peers.need(0, 1)
      await waitFor(() => isLost() || (isHeard() && peers.slots(0) === 1))
      const isDone = !isLost()
      if (isDone) peers.ended(key)
      await peers.stop()
      if (isDone) return
    }
    assert.fail(`${key} was never heard of`)
  }

  test('what one takes, remembers, tells and shows comes through', async () => {
    const address = server.database()
    const direct = await openPostgres(address)
    await migrate(direct, address)
    const proxy = await startDatabaseProxy(server.port)
    const through = address.replace(`:${server.port}/`, `:${proxy.port}/`)
    const heard: Heard = { words: [], shown: new Map() }
    const far = await opened(direct, undefined, heard)

    async function once(key: string): Promise<void> {
      const database = await openPostgres(through)
      const isHeard = (): boolean =>
        heard.words.some((word) => JSON.stringify(word) === JSON.stringify({ key })) &&
        heard.shown.has(`app ${key}`)
      await lives(database, key, isHeard)
      await database.close()
      const note = await direct.rows('select body from notes where key = ?', [key])
      assert.deepEqual(
        note.map(({ body }) => body),
        [JSON.stringify({ key })],
        key,
      )
    }
    try {
      proxy.plan(() => 'pass')
      await once('stack:measured')
      const count = proxy.count()
      assert.ok(count > 20, `${count} questions`)
      const step = isWhole ? 1 : Math.ceil(count / 4)
      for (let number = 1; number <= count; number += step) {
        for (const fault of faults) {
          tally.tried(fault)
          proxy.plan((question) => (question === number ? fault : 'pass'))
          await once(`stack:${fault}-${number}`)
          tally.converged(fault)
        }
      }
      // nobody is left, and nobody has a place or something to look after
      await waitFor(() => far.peers.replicas().length === 1, 30_000)
      const rows = await direct.rows('select key from duties where holder = ?', [far.peers.id])
      assert.deepEqual(rows, [])
      assert.equal(far.membership.isHeld(), true)
    } finally {
      await far.peers.stop()
      await proxy.stop()
      await direct.close()
    }
  })
})
