/** Verbs that wait, follow or come from afar: ack, logs --follow, and a service behind https. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync, renameSync, statSync } from 'node:fs'
import { request as onward } from 'node:http'
import { createServer, type Server } from 'node:https'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { makeCertificates } from '../testbed/docker-certificates.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { busybox } from '../testbed/image.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'
import { tendProgram } from '../testbed/program.ts'

const never = new AbortController().signal
const stack = `
services:
  web:
    image: ${busybox}
    command: [sh, -c, "echo first; while [ ! -e /go ]; do sleep 0.1; done; echo second; exec sleep 1000"]
    stop_grace_period: 0s
    restart: "no"
`

describe('verbs beside tend serve', { skip: requiredDocker() }, () => {
  let engine: TestDocker
  let docker: Docker
  let git: Bench
  let serving: Serving
  let door: Server

  before(async () => {
    engine = await startDocker()
    await engine.addImage()
    docker = dockerAt({ address: `unix://${engine.socket}` })
    git = gitBench()
    git.commit('one', { 'web/compose.yaml': stack })
    serving = await servingOn({ DOCKER_HOST: `unix://${engine.socket}` })
    serving.declare(`
sources: { infra: { git: "${git.bare}", ref: main } }
apps: [{ stack: web, path: web, drift: flag, interval: off }]
`)
    await serving.start()
    await serving.until('stack:web', ({ state }) => state === 'synced')
  })
  after(async () => {
    door?.close()
    await serving?.remove()
    git?.remove()
    docker?.close()
    await engine?.stop()
  })

  async function container(): Promise<string> {
    const [one] = await listContainers(docker, ['com.docker.compose.project=web'], never)
    return one?.id ?? ''
  }

  test('another user of this machine changes nothing and leaves a trace; the own verbs do, and the trace outlives a restart', async () => {
    const path = '/api/v1/apps/stack%3Aweb/suspend'
    const stranger = await fetch(`${serving.url}${path}`, { method: 'POST' })
    assert.equal(stranger.status, 401)
    assert.equal(statSync(join(serving.home, 'local-token')).mode & 0o777, 0o600)
    const refused = /WARNING a request was refused address=127\.0\.0\.1 action=suspend/
    await waitFor(() => refused.test(serving.log()))
    assert.equal((await serving.tend('suspend web')).code, 0)
    await serving.stop()
    assert.equal((await serving.tend('resume web')).code, 0, 'without a service')
    assert.match((await serving.tend('token create --role read --name watcher')).out, /^tend_/)
    await serving.start()
    await serving.until('stack:web', ({ state }) => state === 'synced')
    const { audit } = JSON.parse((await serving.tend('audit -o json')).out)
    const told = audit.map((row: Record<string, unknown>) => [
      row['by'],
      row['action'],
      row['app'],
      row['status'],
    ])
    assert.deepEqual(told.toReversed(), [
      ['anybody', 'suspend', 'stack:web', 401],
      ['local', 'suspend', 'stack:web', 200],
      ['shell', 'resume', 'stack:web', 0],
      ['shell', 'createToken', '', 0],
    ])
    const shown = await serving.tend('audit --app stack:web --since 1h --limit 1')
    assert.match(shown.out, /^TIME .*\n.*resume +stack:web +-\n$/)
    const remote = await serving.tend(`audit --server ${serving.url} --who watcher`)
    assert.match(remote.out, /Nobody asked for a change/)
  })

  test('a token that is bound to applications and has an end', async () => {
    const line = 'token create --role operator --app stack:other-* --expires 30d --name bound'
    const text = (await serving.tend(line)).out.trim()
    assert.match((await serving.tend('token list')).out, /bound +sync +stack:other-\* .*in 29 days/)
    const shown = await serving.tend('get apps', { TEND_TOKEN: text })
    assert.match(shown.out, /The service has no apps/)
    const headers = { authorization: `Bearer ${text}` }
    const path = `${serving.url}/api/v1/apps/stack%3Aweb/suspend`
    const refused = await fetch(path, { method: 'POST', headers })
    assert.equal(refused.status, 403)
    assert.match(await refused.text(), /bound to stack:other-\* and may not use stack:web/)
    const wrong = await serving.tend('token create --role admin --app stack:web')
    assert.match(wrong.err, /can't be bound to applications/)
    assert.equal((await serving.tend('token create --role read --expires soon')).code, 2)
  })

  test('logs --follow tells each line when it is written, until it is interrupted', async () => {
    const env = { ...process.env, TEND_HOME: serving.home }
    const words = ['logs', 'web', 'web', '--follow']
    const child = spawn(resolve(tendProgram()), words, {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<number | null>((done) => child.once('close', done))
    const lines: string[] = []
    for await (const line of createInterface(child.stdout)) {
      lines.push(line)
      // the second is only written when the first was told
      if (line === 'first') await touchGo(docker, await container())
      if (line === 'second') break
    }
    child.kill('SIGINT')
    assert.deepEqual(lines, ['first', 'second'])
    assert.equal(await ended, 130)
  })

  test('ack lets a flagged drift be put right, and says how that ended', async () => {
    const before = await container()
    await docker.ask('DELETE', `/containers/${before}?force=true`, {
      signal: never,
      doing: 'removing',
    })
    const flagged = await serving.until('stack:web', ({ state }) => state === 'drifted')
    assert.equal(flagged.needsAcknowledgement, true)
    assert.match((await serving.tend('get apps')).out, /^web +stack +\S+ drifted/m)
    const told = await serving.tend('ack web')
    assert.equal(told.code, 0, told.err)
    assert.match(told.out, /stack:web: /)
    await serving.until('stack:web', ({ state }) => state === 'synced')
    assert.notEqual(await container(), before)
    assert.notEqual(await container(), '')
  })

  test('sync --wait exits 1 when the file can not be read, and when the repository can not be asked', async () => {
    git.commit('broken', { 'web/compose.yaml': 'services: [' })
    const broken = await serving.tend('sync web --wait')
    assert.equal(broken.code, 1, broken.out)
    assert.match(broken.out, /failed, nothing was done\n +web\/compose\.yaml:\d+:\d+: /)
    git.commit('good again', { 'web/compose.yaml': stack })
    assert.equal((await serving.tend('sync web --wait')).code, 0)
    renameSync(git.bare, `${git.bare}.away`)
    const deaf = await serving.tend('sync web --wait')
    renameSync(`${git.bare}.away`, git.bare)
    assert.equal(deaf.code, 1, deaf.out)
    assert.match(deaf.out, /its source could not be asked, what was read before counts: .*infra/)
    const told = await serving.tend('sync web --wait -o json')
    assert.equal(told.code, 0)
    assert.equal(JSON.parse(told.out).unread, undefined)
  })

  test('forget takes one off the list that is gone from its source, and touches nothing of it', async () => {
    const web = '{ stack: web, path: web, drift: flag, interval: off }'
    const sources = `sources: { infra: { git: "${git.bare}", ref: main } }`
    serving.declare(`${sources}\napps: [${web}, { stack: old, path: web, prune: false }]\n`)
    await serving.until('stack:old', ({ state }) => state === 'synced')
    const early = await serving.tend('forget old')
    assert.equal(early.code, 1, early.out)
    assert.match(early.err, /stack:old is still declared, so it can't be forgotten/)
    assert.match(early.err, /tend suspend old/)
    serving.declare(`${sources}\napps: [${web}]\n`)
    await serving.until('stack:old', ({ state }) => state === 'missing')
    const told = await serving.tend('forget old')
    assert.equal(told.code, 0, told.err)
    assert.match(told.out, /^stack:old: forgotten; 1 container of it runs on, and nobody looks/)
    assert.doesNotMatch((await serving.tend('get apps')).out, /^old /m)
    await serving.stop()
    await serving.start()
    await serving.until('stack:web', ({ state }) => state === 'synced')
    assert.doesNotMatch((await serving.tend('get apps')).out, /^old /m)
    const left = await listContainers(docker, ['com.docker.compose.project=old'], never)
    assert.deepEqual(
      left.map(({ state }) => state),
      ['running'],
    )
  })

  test('--server asks a service behind https, with a token, and trusts no stranger', async () => {
    const { server } = makeCertificates(join(serving.folder, 'tls'))
    const file = (name: string): Buffer => readFileSync(join(server, name))
    const { hostname, port } = new URL(serving.url)
    door = createServer({ key: file('key.pem'), cert: file('cert.pem') }, (incoming, outgoing) => {
      const { method, url: path, headers } = incoming
      const through = onward({ hostname, port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      incoming.pipe(through)
    })
    await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
    const address = door.address()
    const from = `https://localhost:${typeof address === 'object' ? address?.port : ''}`
    const token = (await serving.tend('token create --role sync --name afar')).out.trim()
    const afar = { TEND_HOME: join(serving.folder, 'afar'), TEND_TOKEN: token }
    const trusting = { ...afar, NODE_EXTRA_CA_CERTS: join(server, 'ca.pem') }
    const apps = await serving.tend(`get apps --server ${from}`, trusting)
    assert.equal(apps.code, 0, apps.err)
    assert.match(apps.out, /^web +stack/m)
    const synced = await serving.tend(`sync web --wait --server ${from}`, trusting)
    assert.equal(synced.code, 0, synced.err)
    const stranger = await serving.tend(`get apps --server ${from}`, afar)
    assert.notEqual(stranger.code, 0)
    assert.match(stranger.err, /certificate/)
    assert.ok(!stranger.err.includes(token))
  })
})

async function touchGo(docker: Docker, id: string): Promise<void> {
  const asked = { signal: never, doing: 'telling it to go on' }
  const body = { Cmd: ['touch', '/go'] }
  const made: unknown = await docker.ask('POST', `/containers/${id}/exec`, { ...asked, body })
  const exec = /"Id":"(\w+)"/.exec(JSON.stringify(made))?.[1] ?? ''
  await docker.ask('POST', `/exec/${exec}/start`, { ...asked, body: { Detach: true } })
}
