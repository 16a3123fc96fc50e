/** The list of the dashboard: filter, sort, groups and pages are the server's work, and the stream of events keeps to the filter. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createToken } from '#server/access/tokens.ts'
import { memoryNotes } from '#store/memory.ts'
import { fakeClock } from '../fake/clock.ts'
import { fakeService, statusOf } from '../fake/service.ts'
import { listen, startWorld, type Loose, type World } from './server-world.ts'

const path = '/api/v1/overview'

async function start(
  t: TestContext,
  wishes: Parameters<typeof startWorld>[0] = {},
): Promise<World> {
  const world = await startWorld(wishes)
  t.after(() => world.served.close())
  return world
}

function keys({ json }: { readonly json: Loose }): readonly string[] {
  return json.apps.map(({ key }: Loose) => key)
}

/** Four stacks, of which one failed, one drifted on another engine and one is suspended. */
async function shop(t: TestContext): Promise<World> {
  const world = await start(t, { names: ['web', 'db', 'mail', 'jobs'] })
  const { service } = world
  const since = 1_000
  service.rowFacts.set('stack:web', {
    labels: { team: 'shop' },
    commit: { revision: 'abc', message: 'first', author: 'Ada Lovelace', at: 5 },
  })
  service.rowFacts.set('stack:db', { labels: { team: 'data' } })
  for (const key of ['stack:mail', 'stack:jobs']) service.rowFacts.set(key, { labels: {} })
  service.set('stack:web', {})
  service.set('stack:db', {
    state: 'failed',
    reason: 'the port 5432 is taken',
    health: { state: 'failed', reason: 'nothing runs', since, isGivenUp: true },
  })
  service.set('stack:mail', {
    target: 'podman',
    state: 'drifted',
    sync: { state: 'drifted', reason: 'container/smtp: image', since },
  })
  service.set('stack:jobs', { isSuspended: true, state: 'suspended' })
  return world
}

test('what needs somebody comes first, with counts of all that the filter lets through', async (t) => {
  const { ask } = await shop(t)
  const { json } = await ask('GET', path)
  assert.deepEqual(keys({ json }), ['stack:db', 'stack:mail', 'stack:jobs', 'stack:web'])
  assert.equal(json.total, 4)
  assert.deepEqual(json.health, { healthy: 3, progressing: 0, degraded: 0, failed: 1, unknown: 0 })
  const others = { behind: 0, missing: 0, syncing: 0, unknown: 0 }
  assert.deepEqual(json.sync, { synced: 3, drifted: 1, ...others })
  assert.equal(json.next, undefined)
  assert.equal(json.apps[3].commit.author, 'Ada Lovelace')
})

test('each part of the filter, alone and together', async (t) => {
  const { ask } = await shop(t)
  const found = async (query: string) => keys(await ask('GET', `${path}?sort=name&${query}`))
  assert.deepEqual(await found('search=PORT%205432'), ['stack:db'], 'all words, in the reason')
  assert.deepEqual(await found('search=ada'), ['stack:web'], 'the author')
  assert.deepEqual(await found('search=deploy%2Fmail'), ['stack:mail'], 'the place in its source')
  assert.deepEqual(await found('health=failed,degraded'), ['stack:db'])
  assert.deepEqual(await found('sync=drifted'), ['stack:mail'])
  assert.deepEqual(await found('target=podman'), ['stack:mail'])
  assert.deepEqual(await found('label=team'), ['stack:db', 'stack:web'])
  assert.deepEqual(await found('label=team%3Ddata&kind=stack'), ['stack:db'])
  assert.deepEqual(await found('kind=chart'), [])
  assert.deepEqual(await found('only=suspended'), ['stack:jobs'])
  assert.deepEqual(await found('only=attention'), ['stack:db', 'stack:mail'])
  assert.deepEqual(await found('only=attention&target=docker'), ['stack:db'])
  const source = encodeURIComponent('https://git.example/team/stacks.git@main')
  assert.equal((await found(`source=${source}`)).length, 4)
  const refused = await ask('GET', `${path}?sort=colour`)
  assert.equal(refused.status, 400)
  assert.match(refused.json.detail, /sort in the query: one of "name"/)
})

test('groups stand together, each with its counts', async (t) => {
  const { ask } = await shop(t)
  const { json } = await ask('GET', `${path}?group=target&sort=-name`)
  assert.deepEqual(json.groups, [
    { name: 'docker', total: 3, attention: 1 },
    { name: 'podman', total: 1, attention: 1 },
  ])
  assert.deepEqual(keys({ json }), ['stack:web', 'stack:jobs', 'stack:db', 'stack:mail'])
  assert.deepEqual([json.attention, json.labels], [2, ['team']])
  const byLabel = (await ask('GET', `${path}?group=label:team`)).json.groups
  assert.deepEqual(
    byLabel.map(({ name, total }: Loose) => [name, total]),
    [
      ['', 2],
      ['data', 1],
      ['shop', 1],
    ],
  )
})

test('pages by cursor hold while applications come and go; by offset for lists that scroll', async (t) => {
  const { ask, service } = await start(t, { names: ['a', 'b', 'c', 'd', 'e'] })
  const first = await ask('GET', `${path}?sort=name&limit=2`)
  assert.deepEqual(keys(first), ['stack:a', 'stack:b'])
  service.remove('stack:b')
  const second = await ask('GET', `${path}?sort=name&limit=2&cursor=${first.json.next}`)
  assert.deepEqual(keys(second), ['stack:c', 'stack:d'], 'nothing is skipped or told twice')
  const last = await ask('GET', `${path}?sort=name&limit=2&cursor=${second.json.next}`)
  assert.deepEqual([keys(last), last.json.next], [['stack:e'], undefined])
  assert.deepEqual(keys(await ask('GET', `${path}?sort=name&offset=1&limit=2`)), [
    'stack:c',
    'stack:d',
  ])
  const wrong = await ask('GET', `${path}?cursor=nonsense`)
  assert.deepEqual([wrong.status, wrong.json.code], [400, 'bad_value'])
})

test('an unchanged list is not sent again', async (t) => {
  const { ask, service } = await shop(t)
  const { etag = '' } = (await ask('GET', path)).headers
  const headers = { 'if-none-match': etag }
  assert.equal((await ask('GET', path, { headers })).status, 304)
  service.set('stack:web', { reason: 'another' })
  assert.equal((await ask('GET', path, { headers })).status, 200)
})

test('a bound token counts and finds only its own', async (t) => {
  const [notes, clock] = [memoryNotes(), fakeClock()]
  const bound = { name: 'web', role: 'read', apps: ['web'] } as const
  const { text } = await createToken(notes, clock, bound)
  const { ask, served, service } = await start(t, { notes, clock })
  const headers = { authorization: `Bearer ${text}` }
  const { json } = await ask('GET', path, { headers })
  assert.deepEqual([json.total, keys({ json })], [1, ['stack:web']])
  assert.equal((await ask('GET', `${path}?search=db`, { headers })).json.total, 0)
  const stream = await listen(served.address.port, '/api/v1/events?kind=stack', headers)
  service.set('stack:db', { failures: 1 })
  service.set('stack:web', { failures: 1 })
  await stream.until((told) => told.some(({ event }) => event === 'app'))
  assert.doesNotMatch(JSON.stringify(stream.told), /stack:db/)
  stream.end()
})

test('events keep to the filter: who comes in is told as app, who goes out as left', async (t) => {
  const { service, served } = await shop(t)
  const unwell = { state: 'degraded', reason: 'one of two', since: 1, isGivenUp: false } as const
  const well = { ...unwell, state: 'healthy' } as const
  const stream = await listen(served.address.port, '/api/v1/events?health=failed,degraded')
  const opening = await stream.until((told) => told.length === 1)
  assert.deepEqual(keys({ json: opening[0]!.data }), ['stack:db'])
  service.set('stack:mail', { reason: 'not asked for' })
  await service.sync('stack:jobs').catch(() => undefined)
  service.set('stack:web', { health: unwell })
  service.set('stack:db', { health: well })
  service.set('stack:db', { reason: 'not asked for any more' })
  service.set('stack:web', { health: well })
  const told = await stream.until((all) => all.length === 4)
  assert.deepEqual(
    told.slice(1).map(({ event, data }) => [event, data.key ?? data.status.key]),
    [
      ['app', 'stack:web'],
      ['left', 'stack:db'],
      ['left', 'stack:web'],
    ],
  )
  assert.deepEqual(told[1]!.data.status.labels, { team: 'shop' }, 'a whole row')
  stream.end()
  service.set('stack:db', { health: unwell })
  service.set('stack:db', { health: well })
  const again = await listen(served.address.port, '/api/v1/events?health=degraded', {
    'last-event-id': told[3]!.id,
  })
  const missed = await again.until((all) => all.length === 2)
  assert.deepEqual(
    missed.map(({ event }) => event),
    ['app', 'left'],
  )
  again.end()
})

test('who reads the list in pages gets reset instead of a snapshot', async (t) => {
  const { service, served } = await shop(t)
  const stream = await listen(served.address.port, '/api/v1/events?snapshot=false')
  service.set('stack:web', { reason: 'changed' })
  const told = await stream.until((all) => all.length === 2)
  assert.deepEqual(
    told.map(({ event }) => event),
    ['reset', 'app'],
  )
  stream.end()
})

test('10,000 applications are answered from memory', async (t) => {
  const service = fakeService([])
  const many = Array.from({ length: 10_000 }, (_, index) => statusOf(`app-${index}`))
  for (const [index, status] of many.entries()) {
    const state = index % 100 === 0 ? 'failed' : 'healthy'
    service.add({ ...status, health: { ...status.health, state }, target: `host-${index % 20}` })
  }
  const { ask } = await start(t, { service })
  const times: number[] = []
  for (let count = 0; count < 9; count += 1) {
    // each is another question to a list that changed
    service.set('stack:app-7', { failures: count })
    const began = process.cpuUsage()
    const { json } = await ask('GET', `${path}?search=app-&label=&group=target&limit=50`)
    const { user, system } = process.cpuUsage(began)
    times.push((user + system) / 1000)
    assert.equal(json.apps.length, 50)
  }
  const median = times.toSorted((a, b) => a - b)[4]!
  t.diagnostic(`median ${median.toFixed(1)} ms of the processor, client included`)
  assert.ok(median < 100, `${median} ms`)
})
