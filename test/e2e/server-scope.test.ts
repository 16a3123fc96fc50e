/** Every route, asked by every role, unbound and bound to an application within and beyond reach. A new route needs a row here. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createToken } from '#server/access/tokens.ts'
import { memoryNotes } from '#store/memory.ts'
import { fakeClock } from '../fake/clock.ts'
import { fleetStatus } from '../fake/service.ts'
import { listen, startWorld, type Loose } from './server-world.ts'

const { signal } = new AbortController()
const plenty = { burst: 1e6, perSecond: 1e6 }
const limits = { failures: plenty, dear: plenty, reads: plenty }

/** Who asks, in the order of the statuses: nobody, read, sync, admin; then bound to stack:web: read, sync. */
type Row = {
  /** The first is about stack:web or about nothing, a second about stack:db. */
  readonly paths: readonly [string, string?]
  readonly body?: readonly [string, string?]
  readonly expects: readonly number[]
  /** Of the bound ones, about stack:db. */
  readonly outside?: readonly number[]
}

const app = (rest: string): Row['paths'] => [
  `/api/v1/apps/stack:web${rest}`,
  `/api/v1/apps/stack:db${rest}`,
]
const fleet = (rest: string): Row['paths'] => [
  `/api/v1/fleets/web${rest}`,
  `/api/v1/fleets/db${rest}`,
]
const all = [401, 200, 200, 200, 200, 200]
const out = [403, 403]
const open = [200, 200, 200, 200, 200, 200]
const changes = (status: number) => [401, 403, status, status, 403, status]
const admins = (status: number) => [401, 403, 403, status, 403, 403]

const rows: Readonly<Record<string, Row>> = {
  'GET /': { paths: ['/'], expects: all },
  'GET /api/stacks': { paths: ['/api/stacks'], expects: all },
  'GET /api/stacks/containers/{path}': {
    paths: ['/api/stacks/containers/deploy/web', '/api/stacks/containers/deploy/db'],
    expects: all,
    outside: out,
  },
  'POST /api/refresh': { paths: ['/api/refresh'], expects: [401, 403, 200, 200, 403, 403] },
  'GET /api/refresh-status': { paths: ['/api/refresh-status'], expects: all },
  'POST /api/reconcile/ack': {
    paths: ['/api/reconcile/ack', '/api/reconcile/ack'],
    body: ['{"stack_path":"deploy/web"}', '{"stack_path":"deploy/db"}'],
    expects: changes(200),
    outside: out,
  },
  'POST /api/webhook': { paths: ['/api/webhook'], expects: Array<number>(6).fill(403) },
  'POST /api/v1/hooks/{kind}': {
    paths: ['/api/v1/hooks/github'],
    expects: Array<number>(6).fill(403),
  },
  'GET /api/v1/overview': { paths: ['/api/v1/overview'], expects: all },
  'GET /api/v1/apps': { paths: ['/api/v1/apps'], expects: all },
  'GET /api/v1/apps/{key}': { paths: app(''), expects: all, outside: out },
  'GET /api/v1/apps/{key}/detail': { paths: app('/detail'), expects: all, outside: out },
  'GET /api/v1/apps/{key}/graph': { paths: app('/graph'), expects: all, outside: out },
  'GET /api/v1/apps/{key}/resources/{ref}': {
    paths: app('/resources/container%2Fweb'),
    expects: all,
    outside: out,
  },
  'GET /api/v1/apps/{key}/plan': { paths: app('/plan'), expects: all, outside: out },
  'GET /api/v1/apps/{key}/diff': { paths: app('/diff'), expects: all, outside: out },
  'GET /api/v1/apps/{key}/containers': { paths: app('/containers'), expects: all, outside: out },
  'POST /api/v1/apps/{key}/sync': { paths: app('/sync'), expects: changes(202), outside: out },
  'POST /api/v1/apps/{key}/rollback': {
    paths: app('/rollback'),
    expects: changes(202),
    outside: out,
  },
  'POST /api/v1/apps/{key}/acknowledge': {
    paths: app('/acknowledge'),
    expects: changes(202),
    outside: out,
  },
  'POST /api/v1/apps/{key}/suspend': {
    paths: app('/suspend'),
    expects: changes(200),
    outside: out,
  },
  'POST /api/v1/apps/{key}/resume': { paths: app('/resume'), expects: changes(200), outside: out },
  'GET /api/v1/apps/{key}/resources': { paths: app('/resources'), expects: all, outside: out },
  'POST /api/v1/apps/{key}/forget': { paths: app('/forget'), expects: changes(200), outside: out },
  'GET /api/v1/apps/{key}/runs': { paths: app('/runs'), expects: all, outside: out },
  'GET /api/v1/runs': {
    paths: ['/api/v1/runs?app=stack:web', '/api/v1/runs?app=stack:db'],
    expects: all,
    outside: out,
  },
  'GET /api/v1/apps/{key}/runs/{run}': {
    paths: app('/runs/1'),
    // an earlier row made it
    expects: all,
    outside: out,
  },
  'GET /api/v1/apps/{key}/logs/{container}': {
    paths: app('/logs/web'),
    expects: all,
    outside: out,
  },
  'GET /api/v1/apps/{key}/logs': { paths: app('/logs'), expects: all, outside: out },
  'POST /api/v1/apps/{key}/restart': {
    paths: app('/restart'),
    expects: changes(200),
    outside: out,
  },
  'POST /api/v1/apps/{key}/adopt': { paths: app('/adopt'), expects: changes(200), outside: out },
  'POST /api/v1/apps/{key}/prune': {
    paths: app('/prune'),
    body: ['{"name":"web"}', '{"name":"db"}'],
    expects: changes(200),
    outside: out,
  },
  'POST /api/v1/actions': {
    paths: ['/api/v1/actions', '/api/v1/actions'],
    body: ['{"action":"resume","apps":["stack:web"]}', '{"action":"resume","apps":["stack:db"]}'],
    expects: changes(200),
    outside: out,
  },
  'POST /api/v1/plans': {
    paths: ['/api/v1/plans', '/api/v1/plans'],
    body: ['{"apps":["stack:web"]}', '{"apps":["stack:db"]}'],
    expects: [401, 201, 201, 201, 201, 201],
    outside: out,
  },
  'GET /api/v1/plans/{id}': {
    paths: ['/api/v1/plans/none'],
    expects: [401, 404, 404, 404, 404, 404],
  },
  'GET /api/v1/timeline': {
    paths: ['/api/v1/timeline?app=stack:web', '/api/v1/timeline?app=stack:db'],
    expects: all,
    outside: out,
  },
  'GET /api/v1/fleets/{name}': { paths: fleet(''), expects: all, outside: out },
  'PUT /api/v1/fleets/{name}/clusters/{row}': {
    paths: fleet('/clusters/dev'),
    body: ['{"http_port":18190}', '{"http_port":18190}'],
    expects: changes(200),
    outside: out,
  },
  'DELETE /api/v1/fleets/{name}/clusters/{row}': {
    paths: fleet('/clusters/dev'),
    expects: changes(200),
    outside: out,
  },
  'GET /api/v1/targets': { paths: ['/api/v1/targets'], expects: all },
  'POST /api/v1/sources/{id}/refresh': {
    paths: ['/api/v1/sources/shop/refresh'],
    // others come from it too, so whoever is bound to some may not
    expects: [401, 403, 202, 202, 403, 403],
  },
  'GET /api/v1/sources': { paths: ['/api/v1/sources'], expects: all },
  'POST /api/v1/refresh': { paths: ['/api/v1/refresh'], expects: [401, 403, 202, 202, 403, 403] },
  'GET /api/events': { paths: ['/api/events'], expects: all },
  'GET /api/v1/events': {
    paths: ['/api/v1/events?app=stack:web', '/api/v1/events?app=stack:db'],
    expects: all,
    outside: out,
  },
  'GET /api/v1/tokens': { paths: ['/api/v1/tokens'], expects: admins(200) },
  'POST /api/v1/tokens': {
    paths: ['/api/v1/tokens'],
    body: ['{"name":"x","role":"read"}'],
    expects: admins(201),
  },
  'DELETE /api/v1/tokens/{id}': { paths: ['/api/v1/tokens/nobody'], expects: admins(404) },
  'GET /login': { paths: ['/login'], expects: [404, 404, 404, 404, 404, 404] },
  'GET /login/callback': { paths: ['/login/callback'], expects: [404, 404, 404, 404, 404, 404] },
  'GET /api/v1/session': { paths: ['/api/v1/session'], expects: open },
  'POST /api/v1/session': {
    paths: ['/api/v1/session'],
    body: ['{"token":"nobody knows it"}'],
    expects: Array<number>(6).fill(401),
  },
  'POST /api/v1/session/link': { paths: ['/api/v1/session/link'], expects: all },
  'DELETE /api/v1/session': { paths: ['/api/v1/session'], expects: open },
  'POST /logout': { paths: ['/logout'], expects: all },
  'GET /api/v1/me': { paths: ['/api/v1/me'], expects: all },
  'GET /api/v1/audit': { paths: ['/api/v1/audit'], expects: admins(200) },
  'GET /artifacts/{path}': { paths: ['/artifacts/none'], expects: Array<number>(6).fill(404) },
  'GET /healthz': { paths: ['/healthz'], expects: open },
  'GET /readyz': { paths: ['/readyz'], expects: open },
  'GET /metrics': { paths: ['/metrics'], expects: all },
  'GET /api/openapi.json': { paths: ['/api/openapi.json'], expects: open },
}

/** By its name, and by what its operator says of it. */
const bindings = ['*:w*', 'label:team=web']

async function world(binding: string) {
  const notes = memoryNotes()
  const clock = fakeClock()
  const make = async (role: 'read' | 'sync' | 'admin', apps?: readonly string[]) =>
    (await createToken(notes, clock, { name: `${role} ${apps?.join() ?? 'all'}`, role, apps })).text
  const bound = [binding]
  const texts = [
    undefined,
    await make('read'),
    await make('sync'),
    await make('admin'),
    await make('read', bound),
    await make('sync', bound),
  ]
  const start = () => startWorld({ notes, clock, limits })
  return { texts, start, notes, clock }
}

function headersOf(text: string | undefined): Record<string, string> {
  return text === undefined ? {} : { authorization: `Bearer ${text}` }
}

for (const binding of bindings) {
  test(`by ${binding}: every route has a row, and each row holds for every role`, async (t) => {
    const { texts, start } = await world(binding)
    const { ask, served, audit, service } = await start()
    t.after(() => served.close())
    for (const name of ['web', 'db']) service.add(fleetStatus(name))
    const { paths } = (await ask('GET', '/api/openapi.json')).json
    const known = Object.entries<Loose>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    assert.deepEqual(known.toSorted(), Object.keys(rows).toSorted())
    for (const [name, row] of Object.entries(rows)) {
      const [method = ''] = name.split(' ')
      for (const [index, expected] of row.expects.entries()) {
        const status = await statusOf(method, row.paths[0], row.body?.[0], texts[index])
        assert.equal(status, expected, `${name} by ${index}`)
      }
      for (const [index, expected] of (row.outside ?? []).entries()) {
        const status = await statusOf(method, row.paths[1] ?? '', row.body?.[1], texts[4 + index])
        assert.equal(status, expected, `${name} outside by ${4 + index}`)
      }
    }
    for (const [text, isSeen] of [
      [texts[1], true],
      [texts[4], false],
    ] as const) {
      const { json } = await ask('GET', '/api/v1/apps/stack:web/graph', {
        headers: headersOf(text),
      })
      assert.equal(JSON.stringify(json).includes('stack:db'), isSeen, 'another one in the graph')
    }
    const refused = await audit.read({ limit: 1000, app: 'stack:db' })
    const suspend = refused.find(
      ({ action, who }) => action === 'suspend' && who.startsWith('sync'),
    )
    assert.equal(suspend?.status, 403)
    assert.match(
      suspend?.detail ?? '',
      new RegExp(`bound to ${binding.replaceAll('*', '\\*')} and may not use stack:db`),
    )

    async function statusOf(method: string, path: string, body?: string, text?: string) {
      const headers = headersOf(text)
      if (path.includes('events')) {
        // a stream does not end: its head is the answer
        const answer = await fetch(`${served.address.url}${path}`, { headers })
        await answer.body?.cancel()
        return answer.status
      }
      return (await ask(method, path, { headers, ...(body === undefined ? {} : { body }) })).status
    }
  })

  test(`by ${binding}: lists, events and numbers tell a bound token only of its own`, async (t) => {
    const { texts, start } = await world(binding)
    const { ask, served, service } = await start()
    t.after(() => served.close())
    const own = { headers: headersOf(texts[5]) }
    for (const key of ['stack:web', 'stack:db'])
      await service.sync(key, { empty: false, massDelete: false })
    for (const path of ['/api/v1/apps', '/api/stacks', '/api/v1/runs', '/metrics', '/']) {
      const { text } = await ask('GET', path, own)
      assert.doesNotMatch(text, /stack:db|deploy\/db/, path)
    }
    assert.equal((await ask('GET', '/api/v1/apps', own)).json.length, 1)
    assert.equal((await ask('GET', '/api/v1/runs?limit=1', own)).json.runs.length, 1)
    assert.match((await ask('GET', '/metrics', own)).text, /^tend_apps\{state="synced"\} 1$/m)
    assert.match((await ask('GET', '/', own)).text, /Running containers: 2\n/)
    const { port } = served.address
    const events = await listen(port, '/api/v1/events', own.headers)
    const origin = await listen(port, '/api/events', own.headers)
    service.set('stack:db', { failures: 1 })
    service.set('stack:web', { failures: 1 })
    await events.until((told) => told.some(({ event }) => event === 'app'))
    await origin.until((told) => told.some(({ event }) => event === 'stack.upsert'))
    for (const stream of [events, origin]) {
      assert.doesNotMatch(JSON.stringify(stream.told), /stack:db|deploy\/db/)
      stream.end()
    }
    service.setSource({ shown: 'https://git.example/other.git' })
    assert.deepEqual((await ask('GET', '/api/v1/sources', own)).json, [], 'not one of its own')
  })
}

test('a token with an end: worth nothing from then on, which only the audit log says', async (t) => {
  const { notes, clock, start } = await world('stack:w*')
  const expiresAt = clock.now() + 60_000
  const { text, token } = await createToken(notes, clock, {
    name: 'short',
    role: 'read',
    expiresAt,
  })
  const { ask, served, audit } = await start()
  t.after(() => served.close())
  const headers = headersOf(text)
  assert.equal((await ask('GET', '/api/v1/apps', { headers })).status, 200)
  await clock.sleep(60_000, signal)
  const over = await ask('GET', '/api/v1/apps', { headers })
  assert.deepEqual([over.status, over.json.detail], [401, 'this token is not known'])
  const [row] = await audit.read({ limit: 1 })
  assert.deepEqual([row?.id, row?.status], [token.id, 401])
  assert.match(row?.detail ?? '', /\(short\).*is past its end/)
})

test('an admin is never bound', async (t) => {
  const { texts, start } = await world('stack:w*')
  const { ask, served } = await start()
  t.after(() => served.close())
  const headers = headersOf(texts[3])
  const body = JSON.stringify({ name: 'x', role: 'admin', apps: ['stack:web'] })
  const refused = await ask('POST', '/api/v1/tokens', { headers, body })
  assert.equal(refused.status, 400)
  const bound = JSON.stringify({ name: 'x', role: 'sync', apps: ['stack:web'], expiresAt: 1e15 })
  const made = await ask('POST', '/api/v1/tokens', { headers, body: bound })
  assert.deepEqual(made.json.token.apps, ['stack:web'])
})

test('bound by label, while labels are not read yet: the right answer later, never a wrong one now', async (t) => {
  const { texts, start } = await world('label:team=web')
  const { ask, served, service } = await start()
  t.after(() => served.close())
  const [, , , , reads, syncs] = texts
  const usual = (key: string) => service.app(key).labels ?? {}
  let looks = 0
  const known = (after: number) => {
    looks = 0
    const isKnown = (): boolean => (looks += 1) > after
    Object.assign(service, {
      isReady: isKnown,
      labelsOf: (key: string) => (isKnown() ? usual(key) : undefined),
    })
  }
  const status = async (method: string, path: string, text: string | undefined) => {
    const answered = await ask(method, path, { headers: headersOf(text) })
    return [answered.status, answered.headers['retry-after']]
  }
  for (const path of ['/api/v1/apps/stack:web', '/api/v1/apps/stack:db', '/api/v1/apps']) {
    known(Infinity)
    assert.deepEqual(await status('GET', path, reads), [503, '1'], path)
    assert.deepEqual(await status('GET', path, texts[1]), [200, undefined], 'who is bound to none')
  }
  known(Infinity)
  assert.deepEqual(await status('POST', '/api/v1/apps/stack:db/suspend', syncs), [503, '1'])
  assert.equal(service.app('stack:db').isSuspended, false)
  const { json } = await ask('GET', '/api/v1/apps/stack:web', { headers: headersOf(reads) })
  assert.match(json.detail, /bound by labels, and those of stack:web are not read yet/)
  assert.match(json.suggestion, /again/)
  known(8)
  assert.deepEqual(await status('GET', '/api/v1/apps/stack:web', reads), [200, undefined])
  known(8)
  assert.deepEqual(await status('GET', '/api/v1/apps/stack:db', reads), [403, undefined])
})
