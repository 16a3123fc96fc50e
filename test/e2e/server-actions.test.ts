/** Plans with an address, one action on several applications, logs as lines and as events. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createToken } from '#server/access/tokens.ts'
import { memoryNotes } from '#store/memory.ts'
import { fakeClock } from '../fake/clock.ts'
import { startWorld, worldToken, type Loose, type World } from './server-world.ts'

async function start(
  t: TestContext,
  wishes: Parameters<typeof startWorld>[0] = {},
): Promise<World> {
  const world = await startWorld(wishes)
  t.after(() => world.served.close())
  return world
}

test('a plan has an address, says when it is outdated, and ends with its week', async (t) => {
  const base = fakeClock()
  let later = 0
  const clock = { ...base, now: () => base.now() + later }
  const { ask, service } = await start(t, { clock })
  const body = JSON.stringify({ apps: ['stack:web', 'stack:db', 'stack:web'] })
  const made = await ask('POST', '/api/v1/plans', { body })
  assert.equal(made.status, 201)
  assert.deepEqual(
    made.json.apps.map(({ key }: Loose) => key),
    ['stack:web', 'stack:db'],
  )
  const path = `/api/v1/plans/${made.json.id}`
  assert.deepEqual((await ask('GET', path)).json, made.json)
  service.set('stack:db', { desired: { revision: 'def', message: 'next', hash: 'h2' } })
  const again = (await ask('GET', path)).json.apps
  assert.deepEqual(
    again.map(({ isOutdated }: Loose) => isOutdated),
    [false, true],
  )
  later = 8 * 86_400_000
  assert.equal((await ask('GET', path)).status, 404)
  const none = await ask('POST', '/api/v1/plans', { body: '{"apps":["stack:none"]}' })
  assert.equal(none.status, 404)
})

test('a sync with the revision and the hash of a plan is of that plan, or refused', async (t) => {
  const { ask, service } = await start(t)
  const made = await ask('POST', '/api/v1/plans', { body: '{"apps":["stack:web"],"fresh":true}' })
  const { revision, hash } = made.json.apps[0]
  assert.deepEqual({ revision, hash }, { revision: 'abc', hash: 'h1' })
  const press = (body: Loose) =>
    ask('POST', '/api/v1/apps/stack:web/sync', { body: JSON.stringify(body) })
  assert.equal((await press({ revision, hash })).status, 202)
  service.set('stack:web', { desired: { revision: 'def', message: 'next', hash: 'h2' } })
  const before = (await service.runs('stack:web')).length
  const late = await press({ revision, hash })
  assert.deepEqual([late.status, late.json.code], [409, 'conflict'])
  assert.equal((await service.runs('stack:web')).length, before, 'nothing was done')
  assert.equal((await press({ revision })).status, 400, 'half of it says nothing')
  assert.equal((await press({})).status, 202, 'who gives neither has what is there now')
})

test('who may only look has no source asked', async (t) => {
  const [notes, clock] = [memoryNotes(), fakeClock()]
  const { text } = await createToken(notes, clock, { name: 'x', role: 'read', apps: undefined })
  const { ask } = await start(t, { notes, clock })
  const headers = { authorization: `Bearer ${text}` }
  const plan = (body: Loose) =>
    ask('POST', '/api/v1/plans', {
      headers,
      body: JSON.stringify({ apps: ['stack:web'], ...body }),
    })
  assert.equal((await plan({})).status, 201)
  const refused = await plan({ fresh: true })
  assert.deepEqual([refused.status, refused.json.code], [403, 'forbidden'])
})

test('of a plan one sees what one may see', async (t) => {
  const [notes, clock] = [memoryNotes(), fakeClock()]
  const make = async (apps?: readonly string[]) =>
    (await createToken(notes, clock, { name: 'x', role: 'read', apps })).text
  const [whole, web, other] = [await make(), await make(['web']), await make(['other'])]
  const { ask } = await start(t, { notes, clock })
  const as = (text: string) => ({ headers: { authorization: `Bearer ${text}` } })
  const body = JSON.stringify({ apps: ['stack:web', 'stack:db'] })
  const { json } = await ask('POST', '/api/v1/plans', { ...as(whole), body })
  const path = `/api/v1/plans/${json.id}`
  const seen = await ask('GET', path, as(web))
  assert.deepEqual(
    seen.json.apps.map(({ key }: Loose) => key),
    ['stack:web'],
  )
  assert.equal((await ask('GET', path, as(other))).status, 404)
})

test('one action on several: what can be done is done, the rest says why not', async (t) => {
  const { ask, service } = await start(t)
  await service.suspend('stack:db')
  const act = (action: string, apps: readonly string[]) =>
    ask('POST', '/api/v1/actions?wait=true', { body: JSON.stringify({ action, apps }) })
  const { status, json } = await act('sync', ['stack:web', 'stack:db', 'stack:none'])
  assert.equal(status, 200)
  const [web, db, none] = json.apps
  assert.equal(web.outcome, 'succeeded')
  assert.equal(db.problem.code, 'suspended')
  assert.equal(none.problem.code, 'not_found')
  const back = await act('rollback', ['stack:web'])
  assert.equal(back.json.apps[0].status.lastRun.trigger, 'rollback')
  const both = await act('suspend', ['stack:web', 'stack:db'])
  assert.ok(both.json.apps.every((one: Loose) => one.status.isSuspended))
  assert.equal((await act('explode', ['stack:web'])).status, 400)
})

test('removing much is meant only by who types the name', async (t) => {
  const { ask } = await start(t)
  const prune = (name: string) =>
    ask('POST', '/api/v1/apps/stack:web/prune', { body: JSON.stringify({ name }) })
  const refused = await prune('db')
  assert.equal(refused.status, 400)
  assert.match(refused.json.suggestion, /type web/)
  assert.equal((await prune('web')).status, 200)
})

test('logs as JSON lines and as events, searched', async (t) => {
  const { served } = await start(t)
  const logs = `${served.address.url}/api/v1/apps/stack:web/logs`
  const authorization = `Bearer ${worldToken}`
  const plain = await fetch(`${logs}?search=t`, { headers: { authorization } })
  assert.match(plain.headers.get('content-type') ?? '', /^application\/jsonl/)
  const lines = (await plain.text()).trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).text),
    ['two', 'three'],
  )
  const answer = await fetch(`${logs}?tail=1`, {
    headers: { accept: 'text/event-stream', authorization },
  })
  const told = await answer.text()
  assert.match(told, /^data: \{.*"text":"three"\}\n\nevent: end\n/)
})

test('targets and sources are told from memory, and one source is asked alone', async (t) => {
  const { ask } = await start(t)
  const [target] = (await ask('GET', '/api/v1/targets')).json
  assert.deepEqual([target.name, target.state], ['docker', 'reachable'])
  const [source] = (await ask('GET', '/api/v1/sources')).json
  assert.deepEqual([source.id, source.apps], ['shop', 2])
  assert.equal((await ask('POST', '/api/v1/sources/shop/refresh')).status, 202)
  assert.equal((await ask('POST', '/api/v1/sources/none/refresh')).status, 404)
})
