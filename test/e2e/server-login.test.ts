/** People log in through a real OpenID Connect provider, and may do what their groups may. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { GroupRole, LoginDeclared } from '#model/login.ts'
import { memoryAudit, memoryNotes } from '#store/memory.ts'
import { fakeClock } from '../fake/clock.ts'
import { logInAs, startProvider, type TestProvider } from '../testbed/oidc.ts'
import { startWorld, type World } from './server-world.ts'

const address = 'http://127.0.0.1:9'
const roles: readonly GroupRole[] = [
  { group: 'ops', role: 'admin' },
  { group: 'shop', role: 'sync', apps: ['stack:web'] },
  { group: 'guests', role: 'read', apps: ['stack:db'] },
]

describe('login with OpenID Connect', () => {
  let provider: TestProvider
  let login: LoginDeclared
  let world: World
  /** Another replica. */
  let other: World
  let later = 0
  const base = fakeClock()
  const clock = { ...base, now: () => base.now() + later }
  const notes = memoryNotes()
  const audit = memoryAudit()

  before(async () => {
    provider = await startProvider(
      {
        olga: { name: 'olga@example.org', groups: ['ops'] },
        sam: { name: 'sam@example.org', groups: ['shop', 'guests'] },
        nobody: { name: 'nobody@example.org', groups: ['others'] },
      },
      { id: 'tend', secret: 'planted-client-secret', callback: `${address}/login/callback` },
    )
    login = {
      issuer: provider.issuer,
      clientId: 'tend',
      clientSecret: { variable: 'CLIENT' },
      address,
      scopes: ['openid', 'email', 'groups'],
      groupsClaim: 'groups',
      duration: 3_600_000,
      roles,
    }
    const secrets = { CLIENT: 'planted-client-secret' }
    const shared = { notes, clock, audit, secrets, login: () => login, key: randomBytes(32) }
    world = await startWorld(shared)
    other = await startWorld(shared)
  })
  after(async () => {
    await world?.served.close()
    await other?.served.close()
    await provider?.stop()
  })

  function cookiesIn(answer: { readonly headers: { 'set-cookie'?: string[] | undefined } }) {
    const lines = answer.headers['set-cookie'] ?? []
    return Object.fromEntries(lines.map((line) => line.split(';')[0]?.split('=') ?? []))
  }

  /** The whole way: to the provider, its forms, and back. */
  async function come(account: string, to = '/') {
    const left = await world.ask('GET', `/login?to=${encodeURIComponent(to)}`)
    assert.equal(left.status, 302, left.text)
    const trip = cookiesIn(left)['tend_login']
    const back = await logInAs(account, left.headers.location ?? '', `${address}/login/callback`)
    const query = new URL(back).search
    return { trip, query, finish: (cookie = `tend_login=${trip}`) => arrive(query, cookie) }
  }

  function arrive(query: string, cookie: string) {
    return world.ask('GET', `/login/callback${query}`, { headers: { cookie } })
  }

  async function session(account: string): Promise<{ readonly cookie: string }> {
    const answer = await (await come(account)).finish()
    assert.equal(answer.status, 302, answer.text)
    return { cookie: `tend_session=${cookiesIn(answer)['tend_session']}` }
  }

  const sameSite = { 'sec-fetch-site': 'same-origin' }

  test('a person comes back where they wanted to go, with the rights of their groups', async () => {
    const { finish } = await come('olga', '/apps?state=failed')
    const answer = await finish()
    assert.equal(answer.headers.location, '/apps?state=failed')
    const line = answer.headers['set-cookie']?.find((one) => one.startsWith('tend_session=')) ?? ''
    assert.match(line, /; HttpOnly; SameSite=Strict$/)
    const cookie = `tend_session=${cookiesIn(answer)['tend_session']}`
    const me = await world.ask('GET', '/api/v1/me', { headers: { cookie } })
    assert.deepEqual(me.json, {
      kind: 'user',
      name: 'olga@example.org',
      role: 'admin',
      login: '/login',
      instance: 'test',
      projectName: 'Test',
    })
    assert.equal((await world.ask('GET', '/api/v1/tokens', { headers: { cookie } })).status, 200)
    const rows = await audit.read({ limit: 100 })
    const row = rows.find(({ action }) => action === 'loggedIn')
    assert.equal(row?.by, 'user')
    assert.equal(row?.who, 'olga@example.org')
    assert.match(row?.detail ?? '', /role admin/)
  })

  test('who left at one replica may come back at another', async () => {
    const { trip, query } = await come('olga', '/apps')
    const headers = { cookie: `tend_login=${trip}` }
    const answer = await other.ask('GET', `/login/callback${query}`, { headers })
    assert.deepEqual([answer.status, answer.headers.location], [302, '/apps'], answer.text)
    const cookie = `tend_session=${cookiesIn(answer)['tend_session']}`
    assert.equal((await world.ask('GET', '/api/v1/me', { headers: { cookie } })).status, 200)
  })

  test('several groups add up: what may be seen, and less that may be changed', async () => {
    const headers = { ...(await session('sam')), ...sameSite }
    const seen = await world.ask('GET', '/api/v1/apps', { headers })
    const keys = seen.json.apps ?? seen.json
    assert.deepEqual(keys.map((app: { key: string }) => app.key).toSorted(), [
      'stack:db',
      'stack:web',
    ])
    const sync = (key: string) => world.ask('POST', `/api/v1/apps/${key}/sync`, { headers })
    assert.notEqual((await sync('stack:web')).status, 403)
    assert.equal((await sync('stack:db')).status, 403)
    assert.equal((await world.ask('GET', '/api/v1/tokens', { headers })).status, 403)
  })

  test('who is in no listed group stays out, and that is written down', async () => {
    const answer = await (await come('nobody')).finish()
    assert.equal(answer.status, 403)
    assert.match(answer.json.detail, /nobody@example.org is in no group/)
    assert.equal(cookiesIn(answer)['tend_session'], undefined)
    const rows = await audit.read({ limit: 100 })
    assert.ok(rows.some(({ action, status }) => action === 'loggedIn' && status === 403))
  })

  test('another browser, another state, a second use and a changed cookie are refused', async () => {
    const { trip, query, finish } = await come('olga')
    for (const cookie of ['', 'tend_login=AAAA', `tend_login=${trip?.slice(0, -2)}AA`]) {
      assert.equal((await arrive(query, cookie)).status, 403, cookie)
    }
    const other = await come('olga')
    assert.equal((await arrive(query, `tend_login=${other.trip}`)).status, 403)
    assert.equal((await finish()).status, 302)
    assert.equal((await finish()).status, 403)
    const late = await come('olga')
    later += 11 * 60_000
    assert.equal((await late.finish()).status, 403)
  })

  test('a page of another site can not use the login, a link to the service can be opened', async () => {
    const own = await session('olga')
    const from = (site: string) => ({ ...own, 'sec-fetch-site': site })
    const refresh = (site: string) => world.ask('POST', '/api/refresh', { headers: from(site) })
    assert.equal((await refresh('cross-site')).status, 403)
    assert.equal((await refresh('same-site')).status, 403)
    assert.equal((await refresh('same-origin')).status, 200)
  })

  test('a login ends by its time, by leaving, and never lies in clear in the notes', async () => {
    const headers = { ...(await session('olga')), ...sameSite }
    const text = headers.cookie.split('=')[1] ?? ''
    assert.ok(!JSON.stringify([...(await notes.read('login'))]).includes(text))
    assert.equal((await world.ask('POST', '/logout', { headers })).status, 200)
    const gone = await world.ask('GET', '/api/v1/me', { headers })
    assert.equal(gone.status, 401)
    assert.match(gone.json.detail, /login has ended/)
    const second = await session('olga')
    later += 3_600_000
    assert.equal((await world.ask('GET', '/api/v1/me', { headers: second })).status, 401)
  })

  test('only paths of this service are gone to afterwards', async () => {
    for (const to of ['//evil.example', '/\\evil.example', 'https://evil.example', '/a\nb']) {
      const answer = await (await come('olga', to)).finish()
      assert.equal(answer.headers.location, '/', to)
    }
  })

  test('a provider that is away is told, and asked again by the next', async (t) => {
    const gone = { ...login, issuer: 'http://127.0.0.1:1' }
    const away = await startWorld({ login: () => gone })
    t.after(() => away.served.close())
    const answer = await away.ask('GET', '/login')
    assert.equal(answer.status, 502)
    assert.match(answer.json.detail, /127\.0\.0\.1:1 can't be asked/)
    const none = await startWorld()
    t.after(() => none.served.close())
    assert.equal((await none.ask('GET', '/login')).status, 404)
  })

  test('the client secret is in no answer and no log', () => {
    assert.ok(!world.log.join('\n').includes('planted-client-secret'))
  })
})
