/** Three services on one PostgreSQL, two Dockers and a Podman: each does what it offers, any answers for all, and none is missed. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dockerAt } from '#clients/docker/client.ts'
import { listContainers, type ListedContainer } from '#clients/docker/container-list.ts'
import type { RunRecord } from '#model/store.ts'
import type { AppStatus } from '#model/service.ts'
import { requiredDocker } from '../testbed/docker.ts'
import { bothEngines, type Engine } from '../testbed/both-engines.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { requiredPostgres, startPostgres, type Postgres } from '../testbed/postgres.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'

const never = new AbortController().signal
const skip = requiredDocker() || required('podman') || requiredPostgres()

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

/** Applications by the engine that they are declared to run on. */
const places = { a: ['a1', 'a2', 'a3', 'a4'], b: ['b1', 'b2'], p: ['p1'] } as const
const names = Object.values(places).flat()

describe('replicas', { skip }, () => {
  const engines = new Map<string, Engine>()
  let git: Bench
  let postgres: Postgres
  let one: Serving
  let two: Serving
  let three: Serving
  let token = ''
  let address = ''
  const offers = new Map<Serving, readonly string[]>()
  const keys = mkdtempSync(join(tmpdir(), 'tend-key-'))

  before(async () => {
    const [[, , docker], [, , podman]] = bothEngines
    const started = await Promise.all([docker(), docker(), podman()])
    for (const [at, name] of (['a', 'b', 'p'] as const).entries()) {
      const engine = started[at]
      if (engine !== undefined) engines.set(name, engine)
    }
    git = gitBench()
    postgres = await startPostgres()
    const key = join(keys, 'key')
    writeFileSync(key, randomBytes(32), { mode: 0o600 })
    address = postgres.database()
    // a flag says the same as the variable
    one = await servingOn({ TEND_KEY_FILE: key })
    two = await servingOn({ TEND_DATABASE: address, TEND_KEY_FILE: key })
    three = await servingOn({ TEND_DATABASE: address, TEND_KEY_FILE: key })
    const first = ['--offer', `docker=${addressOf('a')}`]
    offers.set(one, ['--database', address, ...first])
    offers.set(two, [...first, '--offer', `docker=${addressOf('b')}`])
    offers.set(three, [
      '--offer',
      `docker=${addressOf('b')}`,
      '--offer',
      `podman=${addressOf('p')}`,
    ])
    const apps = Object.entries(places).flatMap(([place, own]) =>
      own.map((name) => `  - { stack: ${name}, path: ${name}, target: "${addressOf(place)}" }`),
    )
    for (const each of all()) {
      each.declare(`
concurrency: 2
sources: { infra: { git: "file://${git.bare}", ref: main } }
defaults: { interval: 2s }
apps:
${apps.join('\n')}
`)
    }
  })
  after(async () => {
    await Promise.all(all().map((each) => each?.remove()))
    await postgres?.close()
    git?.remove()
    await Promise.all([...engines.values()].map((engine) => engine.stop()))
    rmSync(keys, { recursive: true, force: true })
  })

  function all(): readonly Serving[] {
    return [one, two, three]
  }

  function addressOf(place: string): string {
    return `unix://${engines.get(place)?.socket ?? ''}`
  }

  async function start(replica: Serving): Promise<void> {
    await replica.start([...(offers.get(replica) ?? [])])
  }

  function commit(message: string): void {
    git.commit(
      message,
      Object.fromEntries(names.map((name) => [`${name}/compose.yaml`, stack(message)])),
    )
  }

  async function asked(
    replica: Serving,
    path: string,
    method = 'GET',
    body?: unknown,
  ): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(120_000)
    const more = body === undefined ? {} : { body: JSON.stringify(body) }
    return fetch(`${replica.url}${path}`, { method, headers, signal, ...more })
  }

  async function json<Answer>(replica: Serving, path: string): Promise<Answer> {
    const answer = await asked(replica, path)
    const text = await answer.text()
    assert.equal(answer.status, 200, `${path}: ${text}`)
    return JSON.parse(text)
  }

  async function statuses(replica: Serving): Promise<readonly AppStatus[]> {
    const answer = await asked(replica, '/api/v1/apps').catch(() => undefined)
    return answer?.status === 200 ? JSON.parse(await answer.text()) : []
  }

  async function until(
    replica: Serving,
    isSo: (apps: ReadonlyMap<string, AppStatus>) => boolean,
  ): Promise<void> {
    let last: readonly AppStatus[] = []
    const comes = async (): Promise<boolean> => {
      last = await statuses(replica)
      return isSo(new Map(last.map((app) => [app.application.name, app])))
    }
    // seven runs, two at a time
    await waitFor(comes, 3 * 60_000).catch((thrown: unknown) => {
      const shown = last.map(({ key, state, reason, health }) => ({ key, state, reason, health }))
      const logs = all().map((each) => each.log())
      throw new Error(`${String(thrown)}\n${JSON.stringify(shown)}\n${logs.join('\n----\n')}`)
    })
  }

  function areAt(message: string, which: readonly string[] = names) {
    return (apps: ReadonlyMap<string, AppStatus>): boolean =>
      which.every((name) => {
        const app = apps.get(name)
        return app?.state === 'synced' && app.synced?.message === message
      })
  }

  async function containers(): Promise<readonly string[]> {
    return (await listed()).map(({ id }) => id).toSorted()
  }

  async function listed(): Promise<readonly ListedContainer[]> {
    const found: ListedContainer[] = []
    for (const place of engines.keys()) {
      const docker = dockerAt({ address: addressOf(place) })
      found.push(...(await listContainers(docker, ['com.docker.compose.service=web'], never)))
      docker.close()
    }
    return found
  }

  async function runsOf(replica: Serving, name: string): Promise<readonly RunRecord[]> {
    return json(replica, `/api/v1/apps/stack:${name}/runs`)
  }

  async function runCounts(replica: Serving): Promise<readonly number[]> {
    return Promise.all(names.map(async (name) => (await runsOf(replica, name)).length))
  }

  function startedBy(replica: Serving, from = 0): readonly string[] {
    const lines = replica.log().slice(from).split('\n')
    const found = lines.filter((line) => line.includes('sync started'))
    return found.map((line) => /app=stack:(\w+)/.exec(line)?.[1] ?? line).toSorted()
  }

  async function gitCalls(): Promise<number> {
    const texts = await Promise.all(
      all().map(async (each) => (await asked(each, '/metrics')).text()),
    )
    return texts.reduce((sum, text) => {
      const found = /tend_git_calls_total\{operation="latest"\} (\d+)/.exec(text)
      return sum + Number(found?.[1] ?? 0)
    }, 0)
  }

  test('each does what it offers, those that offer the same share it, and each once', async () => {
    commit('first')
    await start(one)
    const made = await one.tend('token create --role admin -o json', { TEND_DATABASE: address })
    assert.equal(made.code, 0, made.err)
    token = JSON.parse(made.out).token
    await until(one, areAt('first', places.a))
    await Promise.all([start(two), start(three)])
    for (const each of all()) await until(each, areAt('first'))
    assert.deepEqual(new Set(startedBy(one).map((name) => name[0])), new Set(['a']), one.log())
    assert.deepEqual(
      startedBy(three).filter((name) => name.startsWith('a')),
      [],
    )
    assert.ok(startedBy(three).includes('p1'))
    assert.deepEqual(
      await runCounts(three),
      names.map(() => 1),
    )
    for (const each of await listed()) assert.match(each.labels['tend/generation'] ?? '', /^[1-9]/)
    // the first one gave half of its own away to the second
    await waitFor(() => /looks after apps=[2-9]/.test(two.log()))
    commit('second')
    for (const each of all()) await until(each, areAt('second'))
    const byTwo = startedBy(two).filter((name) => name.startsWith('a'))
    assert.equal(byTwo.length, 2, two.log())
    const runs = (await Promise.all(names.map((name) => runsOf(one, name)))).flat()
    const most = Math.max(
      ...runs.map(({ startedAt: at }) => {
        const others = runs.filter((run) => run.startedAt <= at && (run.endedAt ?? 0) > at)
        return others.length
      }),
    )
    assert.ok(most <= 2, `${most} runs at once`)
    assert.equal(runs.length, names.length * 2)
  })

  test('any replica answers for all: lists, details, actions, plans, events', async () => {
    const apps = names.map((name) => `stack:${name}`)
    for (const each of all()) {
      // whoever asks through a balancer sees one list
      const listed = (await statuses(each)).map(({ key }) => key)
      assert.deepEqual(listed, apps.toSorted())
      const targets = await json<readonly { name: string; state: string }[]>(
        each,
        '/api/v1/targets',
      )
      assert.deepEqual(
        targets.map(({ name, state }) => `${name} ${state}`).toSorted(),
        [...engines.keys()].map((place) => `${addressOf(place)} reachable`).toSorted(),
      )
      for (const key of apps) {
        const found = await json<readonly unknown[]>(each, `/api/v1/apps/${key}/containers`)
        assert.equal(found.length, 1, key)
        await json(each, `/api/v1/apps/${key}/detail`)
      }
      const plans = await asked(each, '/api/v1/plans', 'POST', { apps })
      assert.equal(plans.status, 201)
      assert.doesNotMatch(await plans.text(), /"problem"/)
      const acted = await asked(each, '/api/v1/actions?wait=true', 'POST', { action: 'sync', apps })
      assert.equal(acted.status, 200)
      assert.doesNotMatch(await acted.text(), /"problem"/)
    }
    assert.equal((await fetch(`${one.url}/api/v1/apps/stack:p1/containers`)).status, 401)

    const events = await asked(one, '/api/v1/events')
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
    let heard = ''
    commit('third')
    while (!/event: run\ndata: .*"stack:p1".*"ended"/.test(heard)) {
      const chunk = await reader?.read()
      assert.ok(chunk?.done === false, heard)
      heard += chunk.value
    }
    await reader?.cancel()
    await until(one, areAt('third'))
  })

  test('one of them asks the repository for all', async () => {
    const [before, began] = [await gitCalls(), performance.now()]
    await waitFor(async () => (await gitCalls()) - before >= 4)
    const intervals = (performance.now() - began) / 2000
    const calls = (await gitCalls()) - before
    console.log(`${calls} askings in ${intervals.toFixed(1)} intervals, by three replicas`)
    assert.ok(calls <= intervals + 1.5, `${calls} in ${intervals}`)
  })

  test('what a dead one had is taken over, or told as unreachable, within 15 s', async () => {
    const untouched = await containers()
    const counts = await runCounts(one)
    const [began, from] = [performance.now(), one.log().length]
    await Promise.all([two.kill(), three.kill()])
    await waitFor(() => one.log().slice(from).includes('looks after'))
    const taken = (performance.now() - began) / 1000
    await until(one, (apps) =>
      [...places.b, ...places.p].every((name) => {
        const { state, reason, health } = apps.get(name) ?? {}
        return /no replica offers/.test(`${state} ${reason} ${health?.reason}`)
      }),
    )
    const lost = (performance.now() - began) / 1000
    console.log(`taken over after ${taken.toFixed(1)} s, unreachable after ${lost.toFixed(1)} s`)
    assert.ok(taken < 15, `${taken} s`)
    assert.ok(lost < 15, `${lost} s`)
    await until(one, areAt('third', places.a))
    for (const name of places.a) {
      const found = await json<readonly unknown[]>(one, `/api/v1/apps/stack:${name}/containers`)
      assert.equal(found.length, 1)
    }
    assert.deepEqual(await containers(), untouched)
    await Promise.all([start(two), start(three)])
    for (const each of all()) await until(each, areAt('third'))
    assert.deepEqual(await containers(), untouched)
    const now = await runCounts(two)
    assert.deepEqual(now, counts)
  })

  test('one that was stopped for a while finds itself replaced, and takes part again', async () => {
    const untouched = await containers()
    two.signal('SIGSTOP')
    const [from, before] = [two.log().length, one.log().length]
    await waitFor(() => one.log().slice(before).includes('looks after'))
    two.signal('SIGCONT')
    await waitFor(() => two.log().slice(from).includes('takes part'))
    await until(two, areAt('third'))
    assert.deepEqual(await containers(), untouched)
  })

  test('one after the other is restarted while commits come: none is missed, none done twice', async () => {
    const before = await runCounts(one)
    for (const [at, each] of all().entries()) {
      commit(`rolling ${at}`)
      assert.equal(await each.stop(), 0)
      const others = all().filter((other) => other !== each)
      const can = each === three ? [...places.a, ...places.b] : names
      for (const other of others) await until(other, areAt(`rolling ${at}`, can))
      await start(each)
      for (const any of all()) await until(any, areAt(`rolling ${at}`))
    }
    for (const [index, name] of names.entries()) {
      const runs = (await runsOf(two, name)).filter(({ number }) => number > (before[index] ?? 0))
      const outcomes = runs.map(({ outcome }) => outcome ?? 'open')
      // one that a restart cuts off is no run of its own: the next one brings it to its end
      const whole = outcomes.filter((one) => one !== 'interrupted')
      assert.deepEqual(
        whole,
        ['succeeded', 'succeeded', 'succeeded'],
        `${name}: ${outcomes.join()}`,
      )
      const revisions = new Set(runs.map(({ revision }) => revision))
      assert.equal(revisions.size, 3, `${name}: ${[...revisions].join()}`)
    }
  })

  test('a database that is away changes nothing, is told, and is used again', async () => {
    const untouched = await containers()
    const counts = await runCounts(one)
    await postgres.stop()
    for (const each of all()) {
      await waitFor(async () => {
        const answer = await asked(each, '/api/v1/apps').catch(() => undefined)
        return answer?.status === 503
      }).catch((thrown: unknown) => {
        throw new Error(`${String(thrown)}\n${each.log()}`)
      })
    }
    assert.match(await (await asked(two, '/api/v1/apps')).text(), /database can't be reached/)
    const verb = await one.tend('get apps')
    assert.notEqual(verb.code, 0, verb.out)
    assert.match(verb.err, /database can't be reached/)
    commit('meanwhile')
    assert.deepEqual(await containers(), untouched)
    await postgres.start()
    for (const each of all()) await until(each, areAt('meanwhile'))
    const after = await runCounts(one)
    assert.deepEqual(
      after,
      counts.map((count) => count + 1),
    )
  })

  test('one of another instance takes no part, and says why', async () => {
    const other = await servingOn({
      TEND_DATABASE: address,
      TEND_KEY_FILE: join(keys, 'key'),
      TEND_INSTANCE: 'other',
    })
    other.declare('apps: []')
    const told = await other.tend('serve')
    assert.equal(told.code, 2, told.out)
    assert.match(told.err, /this one is "other", .* is "tend"/)
    await other.remove()
  })

  test('another key is refused, and all end when they are told', async () => {
    const environment = { TEND_DATABASE: address, TEND_KEY_FILE: writtenKey() }
    const other = await one.tend('db migrate', environment)
    assert.equal(other.code, 2)
    assert.match(other.err, /belongs to a service with another key/)
    assert.doesNotMatch(other.err, /tend@/)
    const ends = await Promise.all(all().map((each) => each.stop()))
    assert.deepEqual(ends, [0, 0, 0])
  })

  function writtenKey(): string {
    const file = join(keys, 'other')
    writeFileSync(file, randomBytes(32), { mode: 0o600 })
    return file
  }
})
