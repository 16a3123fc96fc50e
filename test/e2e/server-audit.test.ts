/** Who did what: every change has a row with who, from where and the answer; strangers can't push rows out. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createToken } from '#server/access/tokens.ts'
import { memoryNotes } from '#store/memory.ts'
import { fakeClock } from '../fake/clock.ts'
import { startWorld, worldToken, type Loose } from './server-world.ts'

const { signal } = new AbortController()

function bearer(text: string) {
  return { headers: { authorization: `Bearer ${text}` } }
}

test('each change that was asked for is a row: who, from where, what, on what, and the answer', async (t) => {
  const notes = memoryNotes()
  const clock = fakeClock()
  const admin = await createToken(notes, clock, { name: 'root', role: 'admin' })
  const reader = await createToken(notes, clock, { name: 'watcher', role: 'read' })
  const hooks = [{ kind: 'github', secret: { variable: 'S' }, isOpen: false }] as const
  const { ask, served, audit } = await startWorld({ notes, clock, hooks, secrets: { S: 'hush' } })
  t.after(() => served.close())
  const own = bearer(admin.text)
  const app = '/api/v1/apps/stack:web'
  await ask('POST', `${app}/sync`, { ...own, body: '{"allowEmpty":true}' })
  await ask('POST', `${app}/suspend`, own)
  await ask('POST', `${app}/resume`, own)
  await ask('POST', `${app}/rollback?wait=true`, { ...own, body: '{"run":1}' })
  await ask('POST', `${app}/acknowledge?wait=true`, own)
  await ask('POST', '/api/v1/apps/stack:nobody/sync?wait=true', own)
  await ask('POST', '/api/refresh', own)
  await ask('POST', '/api/reconcile/ack', { ...own, body: '{"stack_path":"deploy/web"}' })
  const made = await ask('POST', '/api/v1/tokens', { ...own, body: '{"name":"ci","role":"sync"}' })
  await ask('DELETE', `/api/v1/tokens/${made.json.token.id}`, own)
  await ask('POST', `${app}/sync`, bearer(reader.text))
  const body = '{"ref":"refs/heads/main"}'
  const signature = createHmac('sha256', 'hush').update(body).digest('hex')
  const headers = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signature}` }
  await ask('POST', '/api/webhook', { headers, body })
  await ask('GET', '/api/v1/apps', own)
  const rows = (await audit.read({ limit: 100 })).toReversed()
  const told = rows.map((row) => [row.who, row.action, row.app, row.status, row.detail])
  const id = made.json.token.id
  assert.deepEqual(told, [
    ['root', 'sync', 'stack:web', 202, 'allowEmpty'],
    ['root', 'suspend', 'stack:web', 200, ''],
    ['root', 'resume', 'stack:web', 200, ''],
    ['root', 'rollback', 'stack:web', 200, 'to run 1'],
    ['root', 'acknowledge', 'stack:web', 200, ''],
    ['root', 'sync', 'stack:nobody', 404, 'no application stack:nobody'],
    ['root', 'originRefresh', '', 200, ''],
    ['root', 'originAcknowledge', 'stack:web', 200, ''],
    ['root', 'createToken', '', 201, `token ${id} (ci), role sync`],
    ['root', 'revokeToken', '', 200, `token ${id} (ci), role sync`],
    ['watcher', 'sync', 'stack:web', 403, 'a token of role read may not do this'],
    ['webhook of github', 'originWebhook', '', 200, 'for 2 applications: stack:web, stack:db'],
  ])
  assert.deepEqual(new Set(rows.map(({ address }) => address)), new Set(['127.0.0.1']))
  assert.deepEqual(rows[0] && [rows[0].by, rows[0].id], ['token', admin.token.id])
  const all = JSON.stringify(rows)
  for (const secret of [admin.text, reader.text, made.json.text, 'hush', signature]) {
    assert.ok(!all.includes(secret))
  }
})

test('refused tries are counted together, so that nobody can fill the log with them', async (t) => {
  const clock = fakeClock()
  const { ask, served, audit } = await startWorld({ clock, fileToken: 'f'.repeat(40) })
  for (let count = 0; count < 30; count += 1) {
    await ask('POST', '/api/v1/apps/stack:web/suspend', bearer('wrong'))
  }
  const first = await audit.read({ limit: 100 })
  assert.deepEqual(
    first.map(({ status, count, who }) => [status, count, who]),
    [
      [429, 1, 'anybody'],
      [401, 1, 'anybody'],
    ],
  )
  await clock.sleep(61_000, signal)
  await served.close()
  const after = await audit.read({ limit: 100 })
  const sum = after.reduce((all, { count }) => all + count, 0)
  assert.equal(after.length, 4)
  assert.equal(sum, 30)
  t.diagnostic(JSON.stringify(after.map(({ status, count }) => [status, count])))
})

test('GET /api/v1/audit: for admins, page by page; and lines of the log where that is wanted', async (t) => {
  const declared = { listen: { host: '127.0.0.1', port: 0 }, hooks: [], projectName: '' }
  const audit = { kept: { rows: 1000, age: 1e10 }, isLogged: true }
  const declarations = () => ({ ...declared, audit, isOrigin: false, discoveries: [] })
  const { ask, served, log } = await startWorld({ declarations })
  t.after(() => served.close())
  for (let count = 0; count < 5; count += 1) await ask('POST', '/api/v1/apps/stack:web/suspend')
  await ask('POST', '/api/v1/apps/stack:db/suspend')
  const page = (await ask('GET', '/api/v1/audit?limit=4')).json
  assert.deepEqual([page.rows.length, page.next], [4, 3])
  const rest = (await ask('GET', `/api/v1/audit?limit=4&before=${page.next}`)).json
  assert.deepEqual(
    rest.rows.map((row: Loose) => row.number),
    [2, 1],
  )
  assert.equal(rest.next, undefined)
  assert.equal((await ask('GET', '/api/v1/audit?app=stack:db')).json.rows.length, 1)
  assert.equal((await ask('GET', '/api/v1/audit?who=file&since=1')).json.rows.length, 6)
  const lines = log.map((line) => JSON.parse(line)).filter(({ message }) => message === 'audit')
  assert.equal(lines.length, 6)
  assert.equal(lines[0].action, 'suspend')
  assert.ok(!log.join().includes(worldToken))
})
