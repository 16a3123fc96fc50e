/** Who may do what: tokens, roles, addresses, pages of others, and how often. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#model/problem.ts'
import { createToken, listTokens, revokeToken } from '#server/access/tokens.ts'
import { memoryNotes } from '#store/memory.ts'
import { fakeClock } from '../fake/clock.ts'
import { startWorld } from './server-world.ts'

const { signal } = new AbortController()

function bearer(text: string) {
  return { headers: { authorization: `Bearer ${text}` } }
}

test('roles: read, sync, admin, each with all of the one before', async (t) => {
  const notes = memoryNotes()
  const clock = fakeClock()
  const texts: Record<string, string> = {}
  for (const role of ['read', 'sync', 'admin'] as const) {
    texts[role] = (await createToken(notes, clock, { name: role, role })).text
  }
  const { ask, served } = await startWorld({ notes, clock })
  t.after(() => served.close())
  async function statuses(method: string, path: string) {
    const all = [undefined, 'read', 'sync', 'admin'].map(async (role) => {
      const { status } = await ask(method, path, role === undefined ? {} : bearer(texts[role]!))
      return status
    })
    return Promise.all(all)
  }
  assert.deepEqual(await statuses('GET', '/api/stacks'), [401, 200, 200, 200])
  assert.deepEqual(await statuses('GET', '/metrics'), [401, 200, 200, 200])
  assert.deepEqual(await statuses('POST', '/api/refresh'), [401, 403, 200, 200])
  assert.deepEqual(await statuses('GET', '/api/v1/tokens'), [401, 403, 403, 200])
  assert.deepEqual(await statuses('GET', '/healthz'), [200, 200, 200, 200])
  const refused = await ask('GET', '/api/v1/apps')
  assert.equal(refused.headers['www-authenticate'], 'Bearer realm="tend"')
  assert.match(refused.headers['content-type'] ?? '', /^application\/problem\+json/)
  assert.equal(refused.json.code, 'unauthorized')
  assert.match(refused.json.suggestion, /tend token create/)
})

test('only a hash of a token is kept, and a revoked one is worth nothing', async (t) => {
  const notes = memoryNotes()
  const clock = fakeClock()
  const first = await createToken(notes, clock, { name: 'mine', role: 'read' })
  const other = await createToken(notes, clock, { name: 'other', role: 'read' })
  const kept = JSON.stringify([...(await notes.read('token'))])
  assert.ok(!kept.includes(first.text.slice(5)))
  assert.deepEqual((await listTokens(notes)).map(({ name }) => name).toSorted(), ['mine', 'other'])
  const { ask, served, log } = await startWorld({ notes, clock })
  t.after(() => served.close())
  assert.equal((await ask('GET', '/api/stacks', bearer(first.text))).status, 200)
  // another process makes one: it counts at once
  const late = await createToken(notes, clock, { name: 'late', role: 'read' })
  await clock.sleep(100, signal)
  assert.equal((await ask('GET', '/api/stacks', bearer(late.text))).status, 200)
  await revokeToken(notes, late.token.id)
  // another process revokes it: seen after two seconds
  await revokeToken(notes, first.token.id)
  await clock.sleep(2000, signal)
  assert.equal((await ask('GET', '/api/stacks', bearer(first.text))).status, 401)
  assert.equal((await ask('GET', '/api/stacks', bearer(other.text))).status, 200)
  await revokeToken(notes, other.token.id)
  await clock.sleep(2000, signal)
  assert.equal((await ask('GET', '/api/stacks')).status, 401, 'the last one does not open the door')
  await assert.rejects(revokeToken(notes, 'nobody'), /no token nobody/)
  assert.ok(!log.join().includes(first.text))
})

test('tokens over the API: the text is told once', async (t) => {
  const { ask, served, log } = await startWorld({ fileToken: `${'f'.repeat(40)}\n` })
  t.after(() => served.close())
  const admin = bearer('f'.repeat(40))
  const body = JSON.stringify({ name: 'deploy', role: 'sync' })
  const made = await ask('POST', '/api/v1/tokens', { ...admin, body })
  assert.equal(made.status, 201)
  const { text, token } = made.json
  assert.match(text, /^tend_[\w-]{43}$/)
  assert.equal((await ask('POST', '/api/refresh', bearer(text))).status, 200)
  const listed = await ask('GET', '/api/v1/tokens', admin)
  assert.deepEqual(
    listed.json.map(({ name, role }: { name: string; role: string }) => [name, role]).toSorted(),
    [
      ['TEND_TOKEN_FILE', 'admin'],
      ['deploy', 'sync'],
    ],
  )
  assert.ok(!listed.text.includes(text) && !log.join().includes(text))
  assert.equal((await ask('DELETE', `/api/v1/tokens/${token.id}`, admin)).status, 200)
  assert.equal((await ask('POST', '/api/refresh', bearer(text))).status, 401)
})

test('without a token it listens on this machine alone', async () => {
  const refused = startWorld({ host: '0.0.0.0', notes: memoryNotes() })
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof Problem)
    assert.match(error.message, /on this machine only, not on 0\.0\.0\.0/)
    assert.match(error.suggestion ?? '', /TEND_TOKEN_FILE.*TEND_OPEN_API=true/)
    return true
  })
  const open = await startWorld({ host: '0.0.0.0', isOpen: true })
  assert.equal((await open.ask('GET', '/api/stacks')).status, 200)
  await open.served.close()
  const withToken = await startWorld({ host: '0.0.0.0', fileToken: 'f'.repeat(40) })
  assert.equal((await withToken.ask('GET', '/api/stacks')).status, 401)
  assert.equal((await withToken.ask('GET', '/api/stacks', bearer('f'.repeat(40)))).status, 200)
  await withToken.served.close()
})

test('a token in a file that is too short is refused, without showing it', async () => {
  await assert.rejects(startWorld({ fileToken: 'hunter2' }), (error) => {
    assert.ok(error instanceof Problem)
    assert.match(error.message, /TEND_TOKEN_FILE must have at least 32 characters/)
    assert.ok(!error.message.includes('hunter2'))
    return true
  })
})

test('nobody comes in without a token, from this machine either', async (t) => {
  const { ask, served, service } = await startWorld({ notes: memoryNotes() })
  t.after(() => served.close())
  const answers = await Promise.all([
    ask('POST', '/api/v1/apps/stack:web/suspend'),
    ask('POST', '/api/v1/tokens', { body: '{"name":"x","role":"admin"}' }),
    ask('GET', '/api/v1/apps'),
    ask('GET', '/metrics'),
    ask('GET', '/'),
  ])
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([401]))
  assert.equal(service.app('stack:web').isSuspended, false)
  assert.equal((await ask('GET', '/healthz')).status, 200)
  assert.equal((await ask('GET', '/readyz')).status, 200)
})

test('an open service: names bent to this address, and requests across sites', async (t) => {
  const { ask, served } = await startWorld({
    notes: memoryNotes(),
    isOpen: true,
    hosts: ['cd.example'],
  })
  t.after(() => served.close())
  const { port } = served.address
  async function status(headers: Readonly<Record<string, string>>, method = 'GET') {
    return (await ask(method, method === 'GET' ? '/api/stacks' : '/api/refresh', { headers }))
      .status
  }
  assert.equal(await status({ host: 'evil.example' }), 403)
  assert.equal(await status({ host: `evil.example:${port}` }), 403)
  assert.equal(await status({ host: 'router' }), 403, 'a name of the local network')
  assert.equal(await status({ host: `localhost:${port}` }), 200)
  assert.equal(await status({ host: `[::1]:${port}` }), 200)
  assert.equal(await status({ host: 'CD.example' }), 200)
  assert.equal(await status({ origin: 'https://evil.example' }, 'POST'), 403)
  assert.equal(await status({ origin: 'null' }, 'POST'), 403)
  assert.equal(await status({ origin: `http://127.0.0.1:${port}` }, 'POST'), 200)
  assert.equal(await status({ 'sec-fetch-site': 'cross-site' }), 403)
  assert.equal(await status({ 'sec-fetch-site': 'same-origin' }), 200)
})

test('an open service on all addresses: its addresses, names without a dot, and those that are listed', async (t) => {
  const { ask, served } = await startWorld({
    host: '0.0.0.0',
    isOpen: true,
    notes: memoryNotes(),
    hosts: ['cd.example'],
  })
  t.after(() => served.close())
  for (const [host, expected] of [
    ['192.168.1.5:8080', 200],
    ['tend:8080', 200],
    ['cd.example', 200],
    ['evil.example', 403],
    ['evil.', 403],
  ] as const) {
    assert.equal((await ask('GET', '/api/stacks', { headers: { host } })).status, expected, host)
  }
})

test('any Authorization header does not make a page of another site welcome, a right token does', async (t) => {
  const { ask, served } = await startWorld({ fileToken: 'f'.repeat(40), isOpen: true })
  t.after(() => served.close())
  const foreign = { origin: 'https://evil.example' }
  for (const authorization of ['Bearer nonsense', 'Basic eDp5', 'x']) {
    const headers = { ...foreign, authorization }
    assert.equal((await ask('POST', '/api/refresh', { headers })).status, 403, authorization)
  }
  const headers = { ...foreign, authorization: `Bearer ${'f'.repeat(40)}` }
  assert.equal((await ask('POST', '/api/refresh', { headers })).status, 200)
})

test('wrong tokens are soon too many, and lock nobody out who has a right one', async (t) => {
  const { ask, served } = await startWorld({ fileToken: 'f'.repeat(40) })
  t.after(() => served.close())
  const statuses: number[] = []
  for (let count = 0; count < 12; count += 1) {
    statuses.push((await ask('GET', '/api/stacks', bearer('wrong'))).status)
  }
  assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429, 429])
  const refused = await ask('GET', '/api/stacks', bearer('wrong'))
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  assert.equal((await ask('GET', '/api/stacks', bearer('f'.repeat(40)))).status, 200)
})

test('what makes others work may be asked only so often', async (t) => {
  const clock = fakeClock()
  const { ask, served } = await startWorld({ clock, limits: { dear: { burst: 3, perSecond: 1 } } })
  t.after(() => served.close())
  const statuses: number[] = []
  for (let count = 0; count < 5; count += 1) {
    statuses.push((await ask('POST', '/api/refresh')).status)
  }
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
  await clock.sleep(1000, signal)
  assert.equal((await ask('POST', '/api/refresh')).status, 200)
  assert.equal((await ask('GET', '/api/stacks')).status, 200)
})
