/** The real program when things break: killed, its database gone, the engine down, Git down; and what must never show anywhere. */
import assert from 'node:assert/strict'
import {
  cpSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import type { SourceStatus } from '#model/service.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { startGitHttp, type GitHttp } from '../testbed/git-http.ts'
import { busybox } from '../testbed/image.ts'
import { startProxy, type Proxy } from '../testbed/proxy.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'

const never = new AbortController().signal
const planted = {
  git: 'git+Token/9f"2c=Qx7LmT4v',
  hook: 'hook<Secret>&\\8d1eWq3Zr6Yb',
  slack: 'slackPathTheOnlySecret5uKp0Nf',
  password: 'pass"word\'Zk4$$Hy7Vn2',
  token: 'firstTokenOfTheOperator0123456789abcdef',
}

function stack(greeting: string): string {
  return `
services:
  web:
    image: ${busybox}
    command: sleep 1000
    environment: { GREETING: ${greeting}, DB_PASSWORD: "\${DB_PASSWORD}" }
    stop_grace_period: 0s
`
}

describe('tend serve in trouble', { skip: requiredDocker() }, () => {
  let engine: TestDocker
  let docker: Docker
  let proxy: Proxy
  let git: Bench
  let http: GitHttp
  let serving: Serving
  let last = ''

  before(async () => {
    engine = await startDocker()
    await engine.addImage()
    docker = dockerAt({ address: `unix://${engine.socket}` })
    proxy = await startProxy(engine.socket)
    git = gitBench()
    http = await startGitHttp({
      folder: git.folder,
      password: { user: 'robot', token: planted.git },
    })
    const folder = engine.root
    writeFileSync(join(folder, 'token'), `${planted.token}\n`, { mode: 0o600 })
    serving = await servingOn({
      DOCKER_HOST: `unix://${proxy.socket}`,
      GIT_TOKEN: planted.git,
      HOOK: planted.hook,
      SLACK: `http://127.0.0.1:1/${planted.slack}`,
      TEND_TOKEN_FILE: join(folder, 'token'),
    })
    serving.declare(`
log: { level: debug }
sources:
  infra:
    git: "${http.origin}/infra.git"
    ref: main
    user: robot
    token: { variable: GIT_TOKEN }
hooks: [{ kind: github, secret: { variable: HOOK } }]
alerts: { failures: 1, channels: [{ kind: slack, url: { variable: SLACK } }] }
defaults: { interval: 1s }
apps:
  - { stack: web, path: web, values: { DB_PASSWORD: ${JSON.stringify(planted.password)} } }
`)
  })
  after(async () => {
    await serving?.remove()
    await http?.stop()
    await proxy?.stop()
    git?.remove()
    docker?.close()
    await engine?.stop()
  })

  async function ids(): Promise<readonly string[]> {
    const all = await listContainers(docker, ['com.docker.compose.project=web'], never)
    return all.map(({ id }) => id)
  }
  async function asked(path: string): Promise<string> {
    const headers = { authorization: `Bearer ${planted.token}` }
    const answer = await serving.api(path, { headers })
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`)
    return answer.text()
  }
  async function synced(revision: string): Promise<void> {
    await serving.until('stack:web', (app) => {
      return app.state === 'synced' && app.synced?.revision === revision
    })
  }

  test('killed: the next start knows revision and hash, and touches nothing', async () => {
    last = git.commit('the first', { 'web/compose.yaml': stack('one') })
    await serving.start()
    await synced(last)
    const before = await ids()
    const { synced: known } = await serving.until('stack:web', () => true)
    await serving.kill()
    await serving.start()
    const app = await serving.until('stack:web', ({ state }) => state === 'synced')
    assert.equal(app.synced?.hash, known?.hash)
    assert.equal(app.synced?.revision, last)
    assert.deepEqual(await ids(), before)
  })

  test('killed in the middle of a run: the next start brings it to its end', async () => {
    last = git.commit('the second', { 'web/compose.yaml': stack('two') })
    await serving.until('stack:web', ({ state, desired }) => {
      return state === 'syncing' || desired?.revision === last
    })
    await serving.kill()
    await serving.start()
    await synced(last)
    assert.equal((await ids()).length, 1)
  })

  test('its database is deleted: only history is lost, what is suspended stays so', async () => {
    const before = await ids()
    assert.equal((await serving.tend('suspend web')).code, 0)
    await serving.stop()
    for (const file of globSync(join(serving.home, 'tend.db*'))) rmSync(file)
    await serving.start()
    await serving.until('stack:web', ({ state }) => state === 'suspended')
    assert.equal((await serving.tend('resume web')).code, 0)
    const app = await serving.until('stack:web', ({ state }) => state === 'synced')
    assert.equal(app.synced?.revision, last)
    assert.deepEqual(await ids(), before)
    assert.equal((await serving.tend('get runs')).code, 0)
  })

  test('SC-005: the engine goes down and shows as failed within 10 s; when it is back all goes on', async () => {
    await proxy.stop()
    const began = Date.now()
    const down = await serving.until('stack:web', ({ state }) => state === 'failed')
    assert.ok(Date.now() - began < 10_000, `it took ${Date.now() - began} ms`)
    assert.match(down.reason, /could not|reach/)
    const shown = await serving.tend('get apps')
    assert.match(shown.out, /✗ failed/)
    proxy = await startProxy(engine.socket)
    await synced(last)
    const told = serving
      .log()
      .split('\n')
      .filter((line) => line.includes('the engine can'))
    assert.equal(told.length, 2, told.join('\n'))
    assert.match(told[0] ?? '', /ERROR {3}the engine can't be reached engine=.* since=.* why=/)
    assert.match(told[1] ?? '', /INFO {4}the engine can be reached again engine=.* seconds=/)
  })

  test('Git goes down: the last good snapshot stays in force and drift is mended; then a commit comes in', async () => {
    http.answer(503)
    await serving.until('stack:web', () => serving.log().includes('does not answer as it should'))
    assert.match((await serving.tend('get sources')).out, /✗ failed/)
    const [victim] = await ids()
    await docker.ask('DELETE', `/containers/${victim}?force=1`, { signal: never, doing: 'killing' })
    await serving.until(
      'stack:web',
      (app) => app.state === 'synced' && app.containers.running === 1,
    )
    http.answer(undefined)
    last = git.commit('the third', { 'web/compose.yaml': stack('three') })
    await synced(last)
  })

  async function source(isSo: (status: SourceStatus) => boolean): Promise<SourceStatus> {
    let found: SourceStatus | undefined
    await waitFor(async () => {
      const all: readonly SourceStatus[] = JSON.parse(await asked('/api/v1/sources'))
      found = all[0]
      return found !== undefined && isSo(found)
    })
    return found!
  }

  test('a force-push is followed, and source, log and verb say that history was rewritten', async () => {
    const old = last
    git.git('commit', '-q', '--amend', '-m', 'the third, amended')
    last = git.commit('the fourth', { 'web/compose.yaml': stack('four') })
    await synced(last)
    const { rewritten } = await source((status) => status.rewritten !== undefined)
    assert.equal(rewritten?.from, old)
    const shown = (await serving.tend('get sources')).out
    assert.match(
      shown,
      new RegExp(`rewritten: ${last.slice(0, 7)} does not come from ${old.slice(0, 7)}`),
    )
    assert.match(serving.log(), /history was rewritten/)
    last = git.commit('the fifth', { 'web/compose.yaml': stack('five') })
    await synced(last)
    assert.equal((await source(({ revision }) => revision === last)).rewritten, undefined)
  })

  const harms: Readonly<Record<string, () => void>> = {
    'a repository whose branch was deleted': () =>
      git.git('--git-dir', git.bare, 'update-ref', '-d', 'refs/heads/main'),
    'a repository that was made anew and is empty': () => {
      rmSync(git.bare, { recursive: true })
      git.git('init', '-q', '--bare', '-b', 'main', git.bare)
      git.git('--git-dir', git.bare, 'config', 'http.receivepack', 'true')
    },
    'a repository whose objects are missing': () => {
      git.commit('never to be read', { 'web/compose.yaml': stack('never') })
      for (const file of globSync(join(git.bare, 'objects/**/*'))) {
        if (statSync(file).isFile()) rmSync(file)
      }
    },
  }
  for (const [name, harm] of Object.entries(harms)) {
    test(`${name} keeps the last good snapshot and says so`, async () => {
      const before = await ids()
      const away = `${git.bare}-kept`
      cpSync(git.bare, away, { recursive: true })
      const objects = name.includes('objects')
      // pushed while nobody can look, so that the commit is never seen whole
      if (objects) http.answer(503)
      harm()
      http.answer(undefined)
      const { problem, revision } = await source(
        (status) => status.state === 'failed' && !/503/.test(status.problem?.message ?? '503'),
      )
      assert.equal(revision, last)
      const kept = `The last good snapshot, ${last.slice(0, 12)}, is kept.`
      assert.ok(problem?.details?.includes(kept), JSON.stringify(problem))
      const shown = (await serving.tend('get sources')).out
      assert.ok(shown.includes(`what was read before stays in force: ${last.slice(0, 7)}`), shown)
      const app = await serving.until('stack:web', ({ state }) => state === 'synced')
      assert.equal(app.synced?.revision, last)
      assert.deepEqual(await ids(), before)
      rmSync(git.bare, { recursive: true })
      renameSync(away, git.bare)
      git.git('reset', '-q', '--hard', last)
      await source(({ state }) => state === 'completed')
    })
  }

  test('nothing secret in log, answers, database or labels: plain, base64, escaped', async () => {
    // a run that fails, so that problems and alerts are told too
    const bad = stack('six').replace('sleep 1000', '"false"')
    git.commit('broken', {
      'web/compose.yaml': `${bad}    restart: "no"\n    healthcheck: { test: [CMD, "false"], interval: 1s, retries: 1 }\n`,
    })
    await serving.until('stack:web', ({ state }) => state === 'failed')
    const key = encodeURIComponent('stack:web')
    const answers = await Promise.all(
      [
        '/',
        '/metrics',
        '/api/stacks',
        '/api/refresh-status',
        '/api/openapi.json',
        '/api/v1/apps',
        `/api/v1/apps/${key}`,
        '/api/v1/sources',
        '/api/v1/tokens',
        `/api/v1/apps/${key}/runs`,
        `/api/v1/apps/${key}/plan`,
        `/api/v1/apps/${key}/diff`,
        `/api/v1/apps/${key}/containers`,
      ].map(asked),
    )
    const runs: readonly { readonly number: number }[] = JSON.parse(
      await asked(`/api/v1/apps/${key}/runs`),
    )
    for (const { number } of runs) answers.push(await asked(`/api/v1/apps/${key}/runs/${number}`))
    const verbs = await Promise.all(
      ['get apps', 'get runs', 'get sources', 'diff web', 'token list'].map((line) =>
        serving.tend(line),
      ),
    )
    const labels = await Promise.all(
      ['/containers/json?all=1', '/volumes', '/networks'].map((path) =>
        docker.ask('GET', path, { signal: never, doing: 'listing' }),
      ),
    )
    await serving.stop()
    const places: Record<string, string> = {
      log: serving.log(),
      answers: answers.join('\n'),
      verbs: verbs.map(({ out, err }) => out + err).join('\n'),
      labels: JSON.stringify(labels),
      'arguments of git': git.seen(),
    }
    for (const file of globSync('**/*', { cwd: serving.home })) {
      const path = join(serving.home, file)
      if (statSync(path).isFile()) places[file] = readFileSync(path, 'latin1')
    }
    assert.ok(Object.keys(places).includes('tend.db'))
    for (const [name, secret] of Object.entries(planted)) {
      for (const form of formsOf(secret)) {
        for (const [place, text] of Object.entries(places)) {
          assert.ok(!text.includes(form), `${name} shows in ${place} as ${form}`)
        }
      }
    }
  })
})

/** As it is, as it stands in JSON, in an address, in hexadecimal, and in base64 wherever in the text it begins. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const base64 = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    // the first and the last letters hold bits of what is around
    const inner = text.slice(before === 0 ? 0 : 4, -4)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })
  const escaped = [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
  return [...new Set([secret, ...escaped, bytes.toString('hex'), ...base64])]
}
