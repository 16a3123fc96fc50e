/** The origin's endpoints answer in its shapes: its users switch by changing the image. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fakeService } from '../fake/service.ts'
import { listen, startWorld } from './server-world.ts'

const world = await startWorld({ names: ['web', 'db'] })
const { service, ask } = world
after(() => world.served.close())

test('GET / is a few lines for a person', async () => {
  const { status, headers, text } = await ask('GET', '/')
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^text\/plain/)
  const lines = text.split('\n')
  assert.ok(lines.includes('  Running containers: 4'))
  assert.ok(lines.includes('  Repository: https://git.example/team/stacks.git'))
  assert.ok(lines.includes('  Revision: main'))
  assert.ok(lines.includes('  Deploy dir: /'))
})

test('GET /api/stacks has exactly its fields, absent ones left out', async () => {
  const { status, json } = await ask('GET', '/api/stacks')
  assert.equal(status, 200)
  assert.deepEqual(json[0], {
    path: 'deploy/web',
    composeFile: 'compose.yaml',
    composeHash: 'h1',
    status: 'synced',
    containersRunning: 2,
    containersTotal: 3,
    syncedRevision: 'abc',
    syncedCommitMessage: 'first',
    syncedComposeHash: 'h1',
    syncedAt: '2026-01-01T12:00:00Z',
    lastSyncAt: '2026-01-01T12:00:00Z',
    lastSyncStatus: 'synced',
  })
  service.set('stack:db', { synced: undefined, desired: undefined, state: 'missing' })
  const [, db] = (await ask('GET', '/api/stacks')).json
  assert.deepEqual(Object.keys(db), [
    'path',
    'composeFile',
    'composeHash',
    'status',
    'containersRunning',
    'containersTotal',
  ])
})

test('its five statuses only', async () => {
  async function shown(change: Parameters<typeof service.set>[1]) {
    service.set('stack:web', { failures: 0, needsAcknowledgement: false, ...change })
    const { status, lastSyncError } = (await ask('GET', '/api/stacks')).json[0]
    return [status, lastSyncError]
  }
  const reason = 'drift detected, awaiting acknowledgement'
  const drift = { state: 'drifted', reason, needsAcknowledgement: true } as const
  assert.deepEqual(await shown(drift), ['failed', reason])
  assert.deepEqual(await shown({ ...drift, needsAcknowledgement: false }), ['synced', undefined])
  assert.deepEqual(await shown({ state: 'suspended', reason: '' }), ['synced', undefined])
  assert.deepEqual(await shown({ state: 'suspended', failures: 2, reason: 'no image' }), [
    'failed',
    'no image',
  ])
  for (const state of ['missing', 'syncing', 'synced', 'deleting'] as const) {
    assert.deepEqual(await shown({ state, reason: '' }), [state, undefined])
  }
})

test('paths are told from the deploy dir on', async () => {
  const origin = fakeService(['web'])
  const other = await startWorld({
    service: origin,
    declarations: () => ({
      listen: { host: '127.0.0.1', port: 0 },
      hooks: [],
      projectName: 'Docker-CD',
      isOrigin: true,
      discoveries: [{ path: 'deploy' }],
    }),
  })
  assert.equal((await other.ask('GET', '/api/stacks')).json[0].path, 'web')
  assert.match(
    (await other.ask('GET', '/')).text,
    /Docker-CD\n.*\n.*\n.*\n {2}Deploy dir: deploy\n/,
  )
  await other.served.close()
})

test('GET /api/stacks/containers/PATH', async () => {
  const { status, json } = await ask('GET', '/api/stacks/containers/deploy/web')
  assert.equal(status, 200)
  const container = { id: '0123456789ab', name: 'web-web-1', service: 'web', state: 'running' }
  assert.deepEqual(json, [{ ...container, health: 'healthy', image: 'web:1' }])
  assert.deepEqual((await ask('GET', '/api/stacks/containers/nowhere')).json, [])
  const nameless = await ask('GET', '/api/stacks/containers/')
  assert.deepEqual([nameless.status, nameless.json], [400, { error: 'stack path is required' }])
})

test('POST /api/refresh and GET /api/refresh-status', async () => {
  const first = await ask('POST', '/api/refresh')
  assert.deepEqual(first.json, { status: 'refreshing', message: 'manual refresh refreshing' })
  assert.equal((await ask('POST', '/api/refresh')).json.status, 'queued')
  assert.deepEqual((await ask('GET', '/api/refresh-status')).json, {
    revision: 'abc',
    commitMessage: 'first',
    ref: 'main',
    refType: 'branch',
    refreshedAt: '2026-01-01T12:00:00Z',
    refreshStatus: 'refreshing',
    stacks: null,
  })
  service.setSource({ state: 'queued', at: 0, message: '', revision: '' })
  const before = (await ask('GET', '/api/refresh-status')).json
  assert.equal(before.refreshedAt, '0001-01-01T00:00:00Z')
  assert.equal('commitMessage' in before, false)
})

test('POST /api/reconcile/ack runs the stack and says how it went', async () => {
  const body = JSON.stringify({ stack_path: 'deploy/web' })
  const { status, json } = await ask('POST', '/api/reconcile/ack', { body })
  const message = 'drift acknowledged for deploy/web'
  assert.deepEqual([status, json], [200, { status: 'success', stack_path: 'deploy/web', message }])
  for (const wrong of ['{}', '{"stack_path":""}', '[]', '']) {
    const refused = await ask('POST', '/api/reconcile/ack', { body: wrong })
    assert.deepEqual([refused.status, refused.json], [400, { error: 'stack_path is required' }])
  }
})

test('GET /api/events: a snapshot for the one who connects, then what changes', async () => {
  const port = world.served.address.port
  const first = await listen(port, '/api/events')
  assert.match(first.headers['content-type'] ?? '', /^text\/event-stream/)
  assert.equal(first.headers['x-accel-buffering'], 'no')
  await first.until((told) => told.length === 2)
  assert.deepEqual(
    first.told.map(({ event }) => event),
    ['stack.snapshot', 'refresh.status'],
  )
  assert.equal(first.told[0]!.data.records.length, 2)
  const second = await listen(port, '/api/events')
  await second.until((told) => told.length === 2)
  service.set('stack:web', { state: 'failed', reason: 'gone' })
  service.setSource({ state: 'completed' })
  service.remove('stack:db')
  for (const one of [first, second]) {
    const told = await one.until((all) => all.length === 5)
    assert.deepEqual(
      told.slice(2).map(({ event }) => event),
      ['stack.upsert', 'refresh.status', 'stack.delete'],
    )
    assert.equal(told[2]!.data.record.status, 'failed')
    assert.deepEqual(told[4]!.data, { path: 'deploy/db', deletedAt: '2026-01-01T12:00:00Z' })
    one.end()
  }
})
