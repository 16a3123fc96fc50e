/** A browser logs in with a token: one cookie that no script and no other site can use, worth what the token is worth. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createToken, revokeToken } from '#server/access/tokens.ts'
import { memoryNotes } from '#store/memory.ts'
import { fakeClock } from '../fake/clock.ts'
import { startWorld, type Answered } from './server-world.ts'

const path = '/api/v1/session'

async function world(t: TestContext, wishes: Parameters<typeof startWorld>[0] = {}) {
  const base = fakeClock()
  let later = 0
  const clock = { ...base, now: () => base.now() + later }
  const notes = memoryNotes()
  const { text, token } = await createToken(notes, clock, { name: 'ada', role: 'sync' })
  const started = await startWorld({ notes, clock, ...wishes })
  t.after(() => started.served.close())
  const own = `http://127.0.0.1:${started.served.address.port}`
  const host = { host: `127.0.0.1:${started.served.address.port}`, origin: own }
  const logIn = (headers: Readonly<Record<string, string>> = host, given = text) =>
    started.ask('POST', path, { headers, body: JSON.stringify({ token: given }) })
  const pass = (time: number) => void (later += time)
  return { ...started, notes, clock, token, text, host, logIn, pass }
}

function cookieOf({ headers }: Answered): string {
  return (headers['set-cookie']?.[0] ?? '').split(';')[0]!
}

test('in with a token, and out again', async (t) => {
  const { ask, logIn, host, audit } = await world(t)
  assert.deepEqual((await ask('GET', path)).json, {})
  const answer = await logIn()
  assert.equal(answer.status, 200)
  const { kind, name, role, instance, projectName } = answer.json
  const said = [kind, name, role, instance, projectName]
  assert.deepEqual(said, ['user', 'ada', 'sync', 'test', 'Test'])
  const line = answer.headers['set-cookie']?.[0] ?? ''
  assert.match(line, /^tend_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/)
  const headers = { ...host, cookie: cookieOf(answer) }
  assert.equal((await ask('GET', '/api/v1/me', { headers })).json.name, 'ada')
  assert.equal((await ask('POST', '/api/v1/apps/stack:web/suspend', { headers })).status, 200)
  const rows = await audit.read({ limit: 10 })
  const suspend = rows.find(({ action }) => action === 'suspend')
  assert.deepEqual([suspend?.by, suspend?.who], ['user', 'ada'])
  assert.match(rows.find(({ action }) => action === 'beginSession')?.detail ?? '', /logged in with/)
  const over = await ask('DELETE', path, { headers })
  assert.equal(over.status, 200)
  assert.match(over.headers['set-cookie']?.join('\n') ?? '', /^tend_session=; Max-Age=0/)
  assert.equal((await ask('GET', '/api/v1/me', { headers })).status, 401)
})

test('what an EventSource sends is enough: the cookie alone', async (t) => {
  const { logIn, served } = await world(t)
  const cookie = cookieOf(await logIn())
  const address = `${served.address.url}/api/v1/events?snapshot=false`
  const answer = await fetch(address, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  await answer.body?.cancel()
  const elsewhere = await fetch(address, {
    headers: { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  })
  assert.equal(elsewhere.status, 403)
})

test('over TLS the cookie is bound to this host', async (t) => {
  const { logIn, host, ask } = await world(t)
  const secure = { host: 'cd.example.org', origin: 'https://cd.example.org' }
  const answer = await logIn({ ...host, ...secure })
  const line = answer.headers['set-cookie']?.[0] ?? ''
  assert.match(line, /^__Host-tend_session=.*; SameSite=Strict; Secure$/)
  assert.doesNotMatch(line, /Domain/)
  const headers = { ...secure, cookie: cookieOf(answer) }
  assert.equal((await ask('GET', '/api/v1/me', { headers })).status, 200)
})

test('another site neither logs anybody in nor uses the login', async (t) => {
  const { logIn, ask, host } = await world(t)
  const evil = { host: host.host, origin: 'https://evil.example' }
  assert.equal((await logIn(evil)).status, 403)
  assert.equal((await logIn({ ...host, 'sec-fetch-site': 'cross-site' })).status, 403)
  const cookie = cookieOf(await logIn())
  const suspend = '/api/v1/apps/stack:web/suspend'
  assert.equal((await ask('POST', suspend, { headers: { ...evil, cookie } })).status, 403)
  assert.equal((await ask('DELETE', path, { headers: { ...evil, cookie } })).status, 403)
  const still = await ask('GET', '/api/v1/me', { headers: { ...host, cookie } })
  assert.equal(still.status, 200)
})

test('a login ends with its token, and with time', async (t) => {
  const { logIn, ask, host, notes, token, clock, pass } = await world(t)
  const short = await createToken(notes, clock, {
    name: 'short',
    role: 'read',
    apps: ['web'],
    expiresAt: clock.now() + 60_000,
  })
  pass(200)
  const brief = await logIn(host, short.text)
  assert.match(brief.headers['set-cookie']?.[0] ?? '', /Max-Age=59;/)
  assert.deepEqual(brief.json.apps, ['web'])
  const asShort = { headers: { ...host, cookie: cookieOf(brief) } }
  assert.equal((await ask('GET', '/api/v1/apps/stack:db', asShort)).status, 403)
  const asAda = { headers: { ...host, cookie: cookieOf(await logIn()) } }
  pass(61_000)
  assert.equal((await ask('GET', '/api/v1/me', asShort)).status, 401)
  assert.equal((await ask('GET', '/api/v1/me', asAda)).status, 200)
  await revokeToken(notes, token.id)
  pass(3_000)
  assert.equal((await ask('GET', '/api/v1/me', asAda)).status, 401)
})

test('wrong tokens are refused, and after ten the address waits', async (t) => {
  const { logIn, host } = await world(t)
  const answers: number[] = []
  for (let count = 0; count < 11; count += 1) answers.push((await logIn(host, 'wrong')).status)
  assert.deepEqual(answers, [...Array<number>(10).fill(401), 429])
})

test('a login counts at every replica, and ends at all of them', async (t) => {
  const { logIn, ask, host, notes, clock, pass } = await world(t)
  const other = await startWorld({ notes, clock })
  t.after(() => other.served.close())
  assert.equal((await other.ask('GET', '/api/v1/me', { headers: host })).status, 401)
  pass(600)
  const headers = { ...host, cookie: cookieOf(await logIn()) }
  pass(600)
  assert.equal((await other.ask('GET', '/api/v1/me', { headers })).status, 200)
  assert.equal((await other.ask('DELETE', path, { headers })).status, 200)
  pass(6000)
  assert.equal((await ask('GET', '/api/v1/me', { headers })).status, 401)
})

test('a stream ends with the login or the token that it was opened with', async (t) => {
  const { logIn, ask, host, notes, token, text, served, pass } = await world(t, {
    limits: { heartbeat: 5 },
  })
  const cookie = cookieOf(await logIn())
  const streamed = async (own: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${served.address.url}/api/v1/events`, { headers: own })
    assert.equal(answer.status, 200)
    return answer.text()
  }
  const byLogin = streamed({ cookie, 'sec-fetch-site': 'same-origin' })
  const byToken = streamed({ authorization: `Bearer ${text}` })
  assert.equal((await ask('DELETE', path, { headers: { ...host, cookie } })).status, 200)
  assert.match(await byLogin, /event: snapshot/)
  await revokeToken(notes, token.id)
  pass(3_000)
  assert.match(await byToken, /event: snapshot/)
})

test('whoever shows nothing is asked to log in, however many of one address there were', async (t) => {
  const { ask, logIn, host } = await world(t)
  const statuses = new Set<number>()
  for (let count = 0; count < 40; count += 1) {
    statuses.add((await ask('GET', '/api/v1/me', { headers: host })).status)
  }
  assert.deepEqual([...statuses], [401])
  // guesses are still counted
  for (let count = 0; count < 10; count += 1) await logIn(host, 'wrong')
  assert.equal((await logIn(host, 'wrong')).status, 429)
  assert.equal((await ask('GET', '/api/v1/me', { headers: host })).status, 401)
})

test('a link of tend login: made with a token, used once, and not for long', async (t) => {
  const { ask, logIn, host, text, pass } = await world(t)
  const own = { authorization: `Bearer ${text}` }
  const link = async () => (await ask('POST', `${path}/link`, { headers: own })).json.code
  const use = (code: string) => ask('POST', path, { headers: host, body: JSON.stringify({ code }) })
  const code = await link()
  const answer = await use(code)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json.name, 'ada')
  const headers = { ...host, cookie: cookieOf(answer) }
  assert.equal((await ask('GET', '/api/v1/me', { headers })).json.role, 'sync')
  assert.equal((await use(code)).status, 401, 'it works once')
  const late = await link()
  pass(121_000)
  assert.equal((await use(late)).status, 401, 'it is too old')
  const cookie = cookieOf(await logIn())
  const fromLogin = await ask('POST', `${path}/link`, { headers: { ...host, cookie } })
  assert.equal(fromLogin.status, 401, 'a login makes no other login')
  const both = JSON.stringify({ code: await link(), token: text })
  assert.equal((await ask('POST', path, { headers: host, body: both })).status, 400)
})
