import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declaredOf } from '#domains/fleet/rows-yaml.ts'
import type { VerifyRecord } from '#domains/fleet/look/verify.ts'
import type { ClusterRow } from '#model/clusters.ts'
import { canonical } from '#model/json.ts'
import { shownRow, type RowsLook } from './rows-seen.ts'

const row: ClusterRow = {
  name: 'dev',
  provider: 'k3d',
  subnet: null,
  nodePort: 30_080,
  pfPort: 19_001,
  httpPort: 18_090,
  httpsPort: 18_443,
  serverIp: null,
  status: 'Ready',
  desired: 'present',
  actual: 'running',
  lastReconciledAt: '2026-01-01 12:00:00',
  reconcileError: null,
}
const runAt = Date.UTC(2026, 0, 1, 12)

function lookAt(at: number, found: Partial<VerifyRecord>, seen = row): RowsLook {
  const { name, provider, desired, status } = seen
  const record = { name, provider, desired, status, actual: 'running', message: '' }
  return {
    at,
    records: new Map([[name, { ...record, result: 'OK', ...found } as const]]),
    conditions: new Map([[name, [{ type: 'route', state: 'true', reason: '' }]]]),
    declared: new Map([[name, canonical(JSON.parse(JSON.stringify(declaredOf(seen, undefined))))]]),
  }
}

function toldOf(own: ClusterRow, look: RowsLook | undefined) {
  const { actual, assessment } = shownRow(own, { notes: new Map() }, look)
  return [actual, assessment?.sync.state, assessment?.health?.state]
}

const missing = { actual: 'absent', result: 'MISSING', message: 'it is missing' } as const

test('what was seen after the last run counts before what the run wrote, and not what was seen before', () => {
  assert.deepEqual(toldOf(row, lookAt(runAt + 5000, missing)), ['absent', 'missing', 'failed'])
  assert.deepEqual(toldOf(row, lookAt(runAt - 5000, missing)), ['running', 'synced', 'healthy'])
  assert.deepEqual(toldOf(row, lookAt(runAt + 500, missing)), ['running', 'synced', 'healthy'])
})

test('before the first look only what runs wrote is told', () => {
  assert.deepEqual(toldOf(row, undefined), ['running', 'synced', 'healthy'])
  const fresh = { ...row, actual: 'unknown', lastReconciledAt: null }
  assert.deepEqual(toldOf(fresh, undefined), ['unknown', undefined, undefined])
  const failed = { ...row, actual: 'failed', reconcileError: 'first\nno image' }
  const { assessment } = shownRow(failed, { notes: new Map() }, undefined)
  assert.equal(assessment?.sync.reason, 'no image')
})

test('a cluster that is being made, and a row that was changed since, say so', () => {
  const look = lookAt(runAt + 5000, {})
  assert.deepEqual(toldOf({ ...row, actual: 'creating' }, look), [
    'creating',
    'syncing',
    'progressing',
  ])
  assert.deepEqual(toldOf({ ...row, httpPort: 1 }, look), ['running', 'drifted', 'healthy'])
  assert.deepEqual(toldOf(row, look), ['running', 'synced', 'healthy'])
})
