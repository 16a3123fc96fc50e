/** Two services on one PostgreSQL: one leads, the other passes requests on, and takes over when the first is gone. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import type { AppStatus } from '#model/service.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { busybox } from '../testbed/image.ts'
import { requiredPostgres, startPostgres, type Postgres } from '../testbed/postgres.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'

const never = new AbortController().signal

function stack(greeting: string): string {
  return `
services:
  web:
    image: ${busybox}
    command: [sh, -c, "exec sleep 1000"]
    environment: { GREETING: ${greeting} }
    stop_grace_period: 0s
`
}

describe('replicas', { skip: requiredDocker() || requiredPostgres() }, () => {
  let engine: TestDocker
  let docker: Docker
  let git: Bench
  let postgres: Postgres
  let first: Serving
  let second: Serving
  let token = ''
  const keys = mkdtempSync(join(tmpdir(), 'tend-key-'))

  before(async () => {
    engine = await startDocker()
    await engine.addImage()
    docker = dockerAt({ address: `unix://${engine.socket}` })
    git = gitBench()
    postgres = await startPostgres()
    const key = join(keys, 'key')
    writeFileSync(key, randomBytes(32), { mode: 0o600 })
    const environment = {
      DOCKER_HOST: `unix://${engine.socket}`,
      TEND_DATABASE: postgres.database(),
      TEND_KEY_FILE: key,
    }
    first = await servingOn(environment)
    second = await servingOn(environment)
    for (const each of [first, second]) {
      each.declare(`
sources: { infra: { git: "file://${git.bare}", ref: main } }
apps:
  - { stack: web, path: web, interval: 1s }
`)
    }
  })
  after(async () => {
    await Promise.all([first?.remove(), second?.remove()])
    await postgres?.close()
    git?.remove()
    docker?.close()
    await engine?.stop()
    rmSync(keys, { recursive: true, force: true })
  })

  async function asked(replica: Serving, path: string, method = 'GET'): Promise<Response> {
    const headers = { authorization: `Bearer ${token}` }
    return fetch(`${replica.url}${path}`, { method, headers, signal: AbortSignal.timeout(20_000) })
  }

  async function appAt(replica: Serving): Promise<AppStatus | undefined> {
    const answer = await asked(replica, '/api/v1/apps').catch(() => undefined)
    if (answer?.status !== 200) return undefined
    const all: readonly AppStatus[] = JSON.parse(await answer.text())
    return all.find(({ key }) => key === 'stack:web')
  }

  async function untilAt(replica: Serving, isSo: (app: AppStatus) => boolean): Promise<void> {
    await waitFor(async () => {
      const app = await appAt(replica)
      return app !== undefined && isSo(app)
    }).catch((thrown: unknown) => {
      throw new Error(`${String(thrown)}\n${first.log()}\n${second.log()}`)
    })
  }

  async function containers(): Promise<readonly string[]> {
    const all = await listContainers(docker, ['com.docker.compose.project=web'], never)
    return all.map(({ id }) => id)
  }

  async function runs(replica: Serving): Promise<number> {
    const answer = await asked(replica, '/api/v1/apps/stack:web/runs')
    const all: readonly unknown[] = JSON.parse(await answer.text())
    return all.length
  }

  test('the first one leads, the second stands by and passes on what it is asked', async () => {
    git.commit('the first', { 'web/compose.yaml': stack('one') })
    await first.start()
    const made = await first.tend('token create --role admin -o json')
    assert.equal(made.code, 0, made.err)
    token = JSON.parse(made.out).token
    await untilAt(first, ({ state }) => state === 'synced')
    const leads = second.start()
    await waitFor(() => second.log().includes('standing by'))
    assert.equal((await fetch(`${second.url}/healthz`)).status, 200)
    assert.deepEqual((await appAt(second))?.synced, (await appAt(first))?.synced)
    const denied = await fetch(`${second.url}/api/v1/apps`)
    assert.equal(denied.status, 401)
    const synced = await asked(second, '/api/v1/apps/stack:web/sync?wait=true', 'POST')
    assert.equal(synced.status, 200, await synced.text())

    const events = await asked(second, '/api/v1/events')
    const reader = events.body?.getReader()
    const chunk = await reader?.read()
    assert.match(new TextDecoder().decode(chunk?.value), /event: snapshot/)
    await reader?.cancel()

    const before = await containers()
    const began = performance.now()
    await first.kill()
    await leads
    await untilAt(second, ({ state }) => state === 'synced')
    const seconds = (performance.now() - began) / 1000
    console.log(`taken over after ${seconds.toFixed(1)} s`)
    assert.ok(seconds < 15, `${seconds} s`)
    assert.deepEqual(await containers(), before)
    git.commit('the second', { 'web/compose.yaml': stack('two') })
    await waitFor(async () => (await containers())[0] !== before[0])
    await untilAt(
      second,
      ({ state, synced: now }) => state === 'synced' && now?.message === 'the second',
    )
  })

  test('one that was stopped for a while finds itself replaced, and stands by', async () => {
    const leads = first.start()
    await waitFor(() => first.log().split('standing by').length > 1)
    const before = await containers()
    const recorded = await runs(second)
    second.signal('SIGSTOP')
    await leads
    await untilAt(first, ({ state }) => state === 'synced')
    second.signal('SIGCONT')
    await waitFor(() => second.log().includes('leads no more'))
    await untilAt(second, ({ state }) => state === 'synced')
    assert.deepEqual(await containers(), before)
    assert.equal(await runs(second), recorded)
  })

  test('a database that is away changes nothing, is told, and is used again', async () => {
    const before = await containers()
    await postgres.stop()
    await waitFor(async () => {
      const answer = await asked(first, '/api/v1/apps').catch(() => undefined)
      return answer?.status === 503
    }).catch((thrown: unknown) => {
      throw new Error(`${String(thrown)}\n${first.log()}`)
    })
    assert.match(await (await asked(second, '/api/v1/apps')).text(), /no replica leads just now/)
    assert.deepEqual(await containers(), before)
    await postgres.start()
    await untilAt(first, ({ state }) => state === 'synced')
    await untilAt(second, ({ state }) => state === 'synced')
    assert.deepEqual(await containers(), before)
  })

  test('another key is refused, and an ended leader makes room at once', async () => {
    const other = await first.tend('db migrate', { TEND_KEY_FILE: writtenKey() })
    assert.equal(other.code, 2)
    assert.match(other.err, /belongs to a service with another key/)
    assert.doesNotMatch(other.err, /tend@/)
    const status = await Promise.all([first, second].map((each) => each.stop()))
    assert.deepEqual(status, [0, 0])
  })

  function writtenKey(): string {
    const file = join(keys, 'other')
    writeFileSync(file, randomBytes(32), { mode: 0o600 })
    return file
  }
})
