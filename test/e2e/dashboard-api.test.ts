/** What the dashboard asks, answered by the real program: Docker runs the stack, Git knows who changed which line. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { busybox } from '../testbed/image.ts'
import { servingOn, type Serving } from '../testbed/serving.ts'
import type { Loose } from './server-world.ts'

const never = new AbortController().signal

function stack(greeting: string): string {
  return `services:
  web:
    image: ${busybox}
    command: [sh, -c, "echo I say $$GREETING; printf 'and a \\\\033[31mfau\\\\033[0mlt\\\\n' >&2; exec sleep 1000"]
    environment:
      GREETING: ${greeting}
      API_TOKEN: planted-secret
    stop_grace_period: 0s
    depends_on: [db]
  db:
    image: ${busybox}
    command: [sh, -c, "echo ready; exec sleep 1000"]
    stop_grace_period: 0s
`
}

describe('the API of the dashboard', { skip: requiredDocker() }, () => {
  let engine: TestDocker
  let docker: Docker
  let git: Bench
  let serving: Serving
  let second = ''

  before(async () => {
    engine = await startDocker()
    await engine.addImage()
    docker = dockerAt({ address: `unix://${engine.socket}` })
    git = gitBench()
    git.commit('the first of all', { 'web/compose.yaml': stack('hello') })
    git.commit('say hullo', { 'web/compose.yaml': stack('hullo') })
    git.git('commit', '-q', '--amend', '--no-edit', '--author=Ada Lovelace <ada@example.org>')
    git.git('push', '-q', '--force', 'origin', 'HEAD')
    second = git.git('rev-parse', 'HEAD')
    serving = await servingOn({ DOCKER_HOST: `unix://${engine.socket}` })
    serving.declare(`
sources: { infra: { git: "${git.bare}", ref: main } }
apps:
  - { stack: web, path: web, interval: off, drift: flag }
  - { stack: late, path: web, interval: off, suspended: true, dependsOn: ["stack:web"] }
`)
    await serving.start()
    await serving.until('stack:web', ({ health }) => health.state === 'healthy')
  })
  after(async () => {
    await serving?.remove()
    git?.remove()
    docker?.close()
    await engine?.stop()
  })

  async function post(path: string, body?: Loose, method = 'POST'): Promise<Response> {
    const text = readFileSync(`${serving.home}/local-token`, 'utf8').trim()
    const headers = { authorization: `Bearer ${text}` }
    return serving.api(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async function get(path: string): Promise<Loose> {
    const answer = await serving.api(path)
    const text = await answer.text()
    assert.equal(answer.status, 200, `${path}: ${text}`)
    return JSON.parse(text)
  }

  test('a row has the commit that is in force, and says what it waits for', async () => {
    const { apps, total } = await get('/api/v1/overview?sort=name')
    assert.equal(total, 2)
    const web = apps.find(({ key }: Loose) => key === 'stack:web')
    const { revision, message, author, at } = web.commit
    assert.deepEqual([revision, message, author], [second, 'say hullo', 'Ada Lovelace'])
    assert.ok(Math.abs(at - Date.now()) < 86_400_000)
    assert.equal((await get('/api/v1/overview?search=lovelace')).total, 2)
  })

  test('the page of an application: what can be done, and why not', async () => {
    const { actions, drift } = await get('/api/v1/apps/stack:web/detail')
    assert.equal(actions.sync, null)
    assert.equal(actions.restart, null)
    assert.match(actions.resume, /not suspended/)
    assert.match(actions.rollback, /no earlier run/)
    assert.match(actions.forget, /still declared/)
    assert.deepEqual(drift, [])
    const late = await get('/api/v1/apps/stack:late/detail')
    assert.match(late.actions.sync, /it is suspended/)
    assert.deepEqual(late.drift, [], 'what is not there yet is no drift')
  })

  test('the graph: what needs what, within and between applications', async () => {
    const { nodes, edges } = await get('/api/v1/apps/stack:web/graph')
    const web = nodes.find(({ id }: Loose) => id === 'container/web-1')
    assert.deepEqual(
      [web.type, web.kind, web.sync, web.health],
      ['resource', 'container', 'synced', 'healthy'],
    )
    const found = edges.map(({ from, to }: Loose) => `${from} ${to}`)
    assert.ok(found.includes('container/web-1 container/db-1'), found.join('\n'))
    assert.ok(found.includes('container/web-1 network/default'), found.join('\n'))
    assert.ok(found.includes('stack:late stack:web'), found.join('\n'))
    const late = await get('/api/v1/apps/stack:late/graph')
    const states = late.nodes.filter(({ type }: Loose) => type === 'resource')
    assert.ok(states.length >= 3 && states.every(({ sync }: Loose) => sync === 'missing'))
  })

  test('a resource: declared and running, with the line and the commit behind it', async () => {
    const one = await get('/api/v1/apps/stack:web/resources/container%2Fweb-1')
    assert.equal(one.origin.file, 'web/compose.yaml')
    assert.equal(one.origin.line, 2)
    assert.equal(one.origin.commit.message, 'the first of all')
    assert.doesNotMatch(JSON.stringify(one), /planted-secret/)
    assert.match(JSON.stringify(one.declared), /hullo/)
    assert.match(JSON.stringify(one.running), /hullo/)
    assert.deepEqual(one.containers, ['web-web-1'])
    assert.ok(one.needs.includes('container/db-1'))
    const db = await get('/api/v1/apps/stack:web/resources/container%2Fdb-1')
    assert.ok(db.neededBy.includes('container/web-1'))
    const none = await serving.api('/api/v1/apps/stack:web/resources/container%2Fnone')
    assert.equal(none.status, 404)
  })

  test('what drifted is told with its resource, and put right', async () => {
    const asked = { signal: never, doing: 'by hand' }
    await docker.ask('DELETE', '/containers/web-db-1', { ...asked, query: { force: true } })
    await serving.until('stack:web', ({ needsAcknowledgement }) => needsAcknowledgement)
    const { drift, actions } = await get('/api/v1/apps/stack:web/detail')
    assert.equal(actions.acknowledge, null)
    assert.ok(
      drift.some(({ ref, state }: Loose) => ref === 'container/db-1' && state === 'missing'),
    )
    await post('/api/v1/apps/stack:web/acknowledge?wait=true')
    await serving.until('stack:web', ({ health }) => health.state === 'healthy')
  })

  test('runs in pages, with who asked and the commit', async () => {
    const all = await get('/api/v1/runs?app=stack:web')
    const [last, first] = [all.runs[0], all.runs.at(-1)]
    assert.equal(first.by, undefined, 'nobody asked for the first one')
    assert.ok(
      all.runs.some(({ by }: Loose) => by === 'this machine'),
      JSON.stringify(all),
    )
    assert.equal(first.commit.author, 'Ada Lovelace')
    assert.ok(first.endedAt >= first.startedAt && first.outcome === 'succeeded')
    const page = await get('/api/v1/runs?limit=1')
    assert.equal(page.runs[0].number, last.number)
    const next = await get(`/api/v1/runs?limit=1&cursor=${page.next}`)
    assert.equal(next.runs[0].number, all.runs[1].number)
  })

  test('logs of all containers as one, searched and followed', async () => {
    const logs = '/api/v1/apps/stack:web/logs'
    const lines = async (query: string): Promise<readonly Loose[]> => {
      const text = await (await serving.api(`${logs}?${query}`)).text()
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    }
    const all = await lines('tail=100')
    const found = all.map(({ container, stream, text }) => `${container} ${stream} ${text}`)
    for (const line of [
      'web-web-1 stdout I say hullo',
      'web-web-1 stderr and a \u001b[31mfau\u001b[0mlt',
      'web-db-1 stdout ready',
    ])
      assert.ok(found.includes(line), found.join('\n'))
    const times = all.map(({ at }) => at)
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
    assert.equal((await lines('search=FAULT')).length, 1)
    assert.deepEqual(await lines(`since=${Date.now() + 60_000}`), [])
    const ended = new AbortController()
    const text = readFileSync(`${serving.home}/local-token`, 'utf8').trim()
    const headers = { authorization: `Bearer ${text}`, accept: 'text/event-stream' }
    const stream = await serving.api(`${logs}?follow=true&tail=0&containers=db`, {
      headers,
      signal: ended.signal,
    })
    const restarted = await post('/api/v1/apps/stack:web/restart', { ref: 'container/db-1' })
    assert.equal(restarted.status, 200, await restarted.text())
    let told = ''
    for await (const part of stream.body ?? []) {
      told += Buffer.from(part).toString('utf8')
      if (/ready|event: end/.test(told)) break
    }
    ended.abort()
    assert.match(told, /"text":"ready"|event: end/)
  })

  test('a plan with its lines: which commit changed this field?', async () => {
    git.commit('say ahoy', { 'web/compose.yaml': stack('ahoy') })
    await post('/api/v1/apps/stack:web/suspend')
    const [source] = await get('/api/v1/sources')
    assert.deepEqual([source.apps, source.state], [2, 'completed'])
    assert.equal((await post(`/api/v1/sources/${source.id}/refresh`)).status, 202)
    await serving.until('stack:web', ({ desired }) => desired?.message === 'say ahoy')
    const made = await post('/api/v1/plans', { apps: ['stack:web'] })
    const plan: Loose = JSON.parse(await made.text())
    const [app] = plan.apps
    const [path, origin] = Object.entries<Loose>(app.origins['container/web-1'] ?? {})[0] ?? []
    assert.match(path ?? '', /GREETING/, JSON.stringify(app))
    assert.deepEqual([origin.file, origin.line], ['web/compose.yaml', 6])
    assert.equal(origin.commit.message, 'say ahoy')
    assert.doesNotMatch(JSON.stringify(plan), /planted-secret/)
    const { apps } = await get('/api/v1/overview?search=ahoy')
    assert.ok(apps.find(({ key }: Loose) => key === 'stack:web').isUpdateAvailable)
    const [target] = await get('/api/v1/targets')
    assert.deepEqual(
      [target.engine, target.state, target.containers.running],
      ['docker', 'reachable', 2],
    )
    await post('/api/v1/apps/stack:web/resume')
    await serving.until(
      'stack:web',
      ({ synced, state }) => synced?.message === 'say ahoy' && state === 'synced',
    )
  })

  test('the time-line: runs, commits, health, and who did what', async () => {
    const { entries } = await get('/api/v1/timeline?limit=500')
    const types = new Set(entries.map(({ type }: Loose) => type))
    for (const type of ['run', 'sync', 'health', 'commit', 'action'])
      assert.ok(types.has(type), `${type}: ${JSON.stringify(entries)}`)
    const run = entries.find(({ type, by }: Loose) => type === 'run' && by === 'this machine')
    assert.equal(run.key, 'stack:web')
    const suspend = entries.find(({ type, text }: Loose) => type === 'action' && text === 'suspend')
    assert.deepEqual([suspend.key, suspend.by], ['stack:web', 'this machine'])
    const times = entries.map(({ at }: Loose) => at)
    assert.deepEqual(
      times,
      times.toSorted((a: number, b: number) => b - a),
    )
    const page = await get('/api/v1/timeline?limit=2')
    assert.equal(page.entries.length, 2)
    assert.ok(page.next < page.entries[1].at)
    const late = await get('/api/v1/timeline?search=late&types=run')
    assert.deepEqual(late.entries, [])
  })

  test('an engine that is away makes nobody wait', async () => {
    await engine.halt()
    const began = Date.now()
    const { nodes } = await get('/api/v1/apps/stack:web/graph')
    assert.ok(nodes.length >= 3)
    await get('/api/v1/apps/stack:web/detail')
    await get('/api/v1/overview')
    const one = await get('/api/v1/apps/stack:web/resources/container%2Fweb-1')
    assert.equal(one.sync.state, 'unknown')
    assert.ok(Date.now() - began < 20_000)
  })
})
