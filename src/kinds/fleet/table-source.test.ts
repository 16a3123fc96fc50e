import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { withTable } from './open.ts'
import { rowsIn } from './declared-rows.ts'
import { tableRepository } from './table-source.ts'

const { signal } = new AbortController()
const clock = { now: () => 1000, sleep: async () => undefined, random: () => 0 }
const lenient = { isPortFree: async () => true, isSubnetFree: () => true }
const registrations = { route: true, portainer: true, argocd: true, git: false }
const dev = {
  name: 'dev',
  provider: 'k3d',
  nodePort: 30_080,
  pfPort: undefined,
  httpPort: 18_090,
  httpsPort: null,
  subnet: null,
  registrations,
} as const

test('the revision of a table follows what its rows and fleet.yaml declare, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-table-'))
  try {
    const around = { clock, environment: {}, home: folder, instance: 'test' }
    const place = { database: join(folder, 'fleet.db'), config: undefined }
    const repository = tableRepository(place, join(folder, 'cache'), around)
    const revision = async (): Promise<string> => {
      return (await repository.latest([''], signal)).get('') ?? ''
    }
    await assert.rejects(revision, /there is no clusters table/)
    await withTable(place.database, 'make', around, (clusters) => clusters.add(dev, lenient))
    const first = await revision()
    await withTable(place.database, 'write', around, async (clusters) => {
      await clusters.mark('dev', { actual: 'running', status: 'Ready', error: null })
      await clusters.noteMade('dev', { phase: 'made', provider: 'k3d', spec: {} })
    })
    assert.equal(await revision(), first, 'how a cluster is said to be is no part of it')

    const snapshot = await repository.snapshot(first, '', signal)
    assert.equal(snapshot.message, '1 row')
    const text = new TextDecoder().decode(snapshot.tree.read('rows.json'))
    const { rows, notes } = rowsIn(text)
    assert.deepEqual([rows[0]?.name, rows[0]?.httpPort, rows[0]?.httpsPort], ['dev', 18_090, null])
    assert.deepEqual(notes.get('dev')?.registrations, registrations)

    writeFileSync(join(folder, 'fleet.yaml'), 'name: lab\n')
    const second = await revision()
    assert.notEqual(second, first)
    await withTable(place.database, 'write', around, (clusters) => clusters.want('dev', 'absent'))
    assert.notEqual(await revision(), second)
    await assert.rejects(repository.snapshot(second, '', signal), /no longer as they were/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a port that is no number stays a fault of its row', () => {
  const text = JSON.stringify([{ name: 'x', provider: 'k3d', desired: 'present', httpPort: 'NaN' }])
  assert.ok(Number.isNaN(rowsIn(text).rows[0]?.httpPort))
})
