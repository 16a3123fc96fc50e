import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { Clusters, NewCluster } from '#model/clusters.ts'
import { Problem } from '#model/problem.ts'
import { openClusters } from './clusters.ts'

const folder = mkdtempSync(join(tmpdir(), 'tend-clusters-'))
after(() => rmSync(folder, { recursive: true }))
let count = 0

const host = { isPortFree: async () => true, isSubnetFree: () => true }

function fresh(): string {
  count += 1
  return join(folder, `${count}.db`)
}

function cluster(name: string, more: Partial<NewCluster> = {}): NewCluster {
  const ports = {
    nodePort: undefined,
    pfPort: undefined,
    httpPort: undefined,
    httpsPort: undefined,
  }
  const registrations = { route: true, portainer: true, argocd: true, git: true }
  return { name, provider: 'k3d', ...ports, subnet: null, registrations, ...more }
}

async function made(file = fresh()): Promise<Clusters> {
  return openClusters({ file, access: 'make' })
}

test('a database of old opens as it is, and lacks nothing once it is written to', async () => {
  const file = fresh()
  const old = new DatabaseSync(file)
  old.exec(`create table clusters (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE NOT NULL,
    provider TEXT NOT NULL, subnet TEXT, node_port INTEGER, pf_port INTEGER, http_port INTEGER,
    https_port INTEGER, status TEXT DEFAULT 'unknown',
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
    insert into clusters (name, provider, http_port) values ('dev', 'k3d', 18090);`)
  old.close()
  const before = readFileSync(file)
  const reader = await openClusters({ file, access: 'read' })
  const [row] = await reader.rows()
  assert.deepEqual([row?.desired, row?.actual, row?.httpPort], ['present', 'unknown', 18090])
  assert.equal((await reader.notes()).size, 0)
  await reader.close()
  assert.deepEqual(readFileSync(file), before, 'reading changed it')
  const writer = await openClusters({ file, access: 'write' })
  await writer.mark('dev', {
    actual: 'running',
    status: 'Ready',
    error: null,
    serverIp: '10.0.0.2',
  })
  await writer.close()
  const again = new DatabaseSync(file)
  const mode = again.prepare('pragma journal_mode').get()
  const kept = again.prepare('select * from clusters').get()
  again.close()
  assert.equal(mode?.['journal_mode'], 'delete', 'others set it up so')
  assert.equal(kept?.['actual_state'], 'running')
  assert.equal(kept?.['server_ip'], '10.0.0.2')
})

test('acceptance 19: the columns are those of the origin, and what is new is beside them', async () => {
  const file = fresh()
  await (await made(file)).close()
  const database = new DatabaseSync(file)
  const columns = database.prepare(`select name from pragma_table_info('clusters')`).all()
  database.close()
  assert.equal(
    columns.map(({ name }) => name).join(' '),
    'id name provider subnet node_port pf_port http_port https_port server_ip status desired_state actual_state last_reconciled_at reconcile_error created_at updated_at',
  )
})

test('ports and subnets are given once, however many ask at once, and what the host has is passed over', async () => {
  const clusters = await made()
  const busy = { isPortFree: async (port: number) => port !== 18_091, isSubnetFree: () => true }
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const rows = await Promise.all(
    names.map((name) => clusters.add(cluster(name, { subnet: 'auto' }), busy)),
  )
  const ports = rows.flatMap(({ httpPort, httpsPort, pfPort }) => [httpPort, httpsPort, pfPort])
  assert.equal(new Set(ports).size, 18)
  assert.ok(!ports.includes(18_091))
  assert.equal(new Set(rows.map(({ subnet }) => subnet)).size, 6)
  await clusters.close()
})

test('a port or a subnet that another row has is refused, and so is what the host uses', async () => {
  const clusters = await made()
  await clusters.add(cluster('a', { httpPort: 18_090, subnet: '10.101.0.0/16' }), host)
  await rejects(clusters.add(cluster('b', { httpsPort: 18_090 }), host), /https_port 18090 is also/)
  await rejects(clusters.add(cluster('b', { subnet: '10.101.4.0/24' }), host), /overlaps/)
  await rejects(clusters.add(cluster('a'), host), /there is a row for a already/)
  await rejects(clusters.add(cluster('A_b'), host), /can't be the name/)
  const full = { ...host, isPortFree: async () => false }
  await rejects(
    clusters.add(cluster('b', { httpPort: 1, httpsPort: 2, pfPort: 3 }), full),
    /in use/,
  )
  assert.equal((await clusters.rows()).length, 1)
  await clusters.close()
})

test('one that lost its lease writes nothing more', async () => {
  const file = fresh()
  let time = 1_000_000
  const now = (): number => time
  const slow = await openClusters({ file, access: 'make', now })
  const quick = await openClusters({ file, access: 'write', now })
  await slow.add(cluster('dev'), host)
  const first = await slow.leases.take('fleet:fleet', 'slow')
  assert.ok('release' in first)
  const refused = await quick.leases.take('fleet:fleet', 'quick')
  assert.deepEqual('name' in refused && refused.name, 'slow')
  time += 60_000
  const second = await quick.leases.take('fleet:fleet', 'quick')
  assert.ok('release' in second)
  await rejects(slow.remove('dev', 'present'), /taken the fleet over/)
  await rejects(slow.held(), /taken the fleet over/)
  await quick.held()
  await quick.mark('dev', { actual: 'running', status: 'Ready', error: null })
  assert.equal((await slow.rows())[0]?.actual, 'running')
  await second.release()
  await quick.close()
  await slow.close()
})

test('what can be read no more is told, and left where it is', async () => {
  const file = fresh()
  await rejects(openClusters({ file, access: 'write' }), /no clusters table/)
  writeFileSync(file, 'this is no database at all, and long enough to be looked at'.repeat(50))
  await rejects(openClusters({ file, access: 'write' }), /is damaged/, /good copy/)
  assert.match(readFileSync(file, 'utf8'), /^this is no database/)
  const locked = fresh()
  await (await made(locked)).close()
  if (process.getuid?.() !== 0) {
    chmodSync(locked, 0o400)
    const clusters = await openClusters({ file: locked, access: 'write' })
    await rejects(clusters.add(cluster('a'), host), /may not be written/)
    await clusters.close()
  }
})

async function rejects(work: Promise<unknown>, message: RegExp, hint = /./): Promise<void> {
  await assert.rejects(work, (thrown) => {
    assert.ok(thrown instanceof Problem, String(thrown))
    assert.match(thrown.message, message)
    assert.match(thrown.suggestion ?? '', hint)
    return true
  })
}

test('a row that is wanted again meanwhile is not removed, nor is what is noted of it', async () => {
  const clusters = await made()
  await clusters.add(cluster('dev'), host)
  await clusters.noteMade('dev', { phase: 'made', provider: 'k3d', spec: {} })
  await clusters.remove('dev', 'absent')
  assert.equal((await clusters.notes()).get('dev')?.made?.phase, 'made')
  await clusters.want('dev', 'absent')
  await clusters.remove('dev', 'absent')
  assert.deepEqual(await clusters.rows(), [])
  await clusters.close()
})
