/** The real program from a commit to a running stack: started, asked by its verbs, told by webhook and by polling, ended. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { startGitHttp, type GitHttp } from '../testbed/git-http.ts'
import { busybox } from '../testbed/image.ts'
import { servingOn, type Serving } from '../testbed/serving.ts'

const never = new AbortController().signal
const secret = 'a-secret-that-signs'

function stack(greeting: string): string {
  return `
services:
  web:
    image: ${busybox}
    command: [sh, -c, "echo I say $$GREETING; exec sleep 1000"]
    environment: { GREETING: ${greeting} }
    stop_grace_period: 0s
`
}

describe('tend serve', { skip: requiredDocker() }, () => {
  let engine: TestDocker
  let docker: Docker
  let git: Bench
  let http: GitHttp
  let serving: Serving

  before(async () => {
    engine = await startDocker()
    await engine.addImage()
    docker = dockerAt({ address: `unix://${engine.socket}` })
    git = gitBench()
    http = await startGitHttp({ folder: git.folder })
    serving = await servingOn({ DOCKER_HOST: `unix://${engine.socket}`, HOOK: secret })
  })
  after(async () => {
    await serving?.remove()
    await http?.stop()
    git?.remove()
    docker?.close()
    await engine?.stop()
  })

  function declare(more = '', interval = 'off'): void {
    serving.declare(`
sources: { infra: { git: "${http.origin}/infra.git", ref: main } }
hooks: [{ kind: github, secret: { variable: HOOK } }]
apps:
  - { stack: web, path: web, interval: ${interval} }
${more}`)
  }

  async function hook(revision: string): Promise<{ readonly status: string }> {
    const body = JSON.stringify({
      ref: 'refs/heads/main',
      after: revision,
      repository: { clone_url: `${http.origin}/infra.git` },
    })
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const answer = await serving.api('/api/webhook?wait=true', {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-hub-signature-256': `sha256=${signature}`,
      },
    })
    assert.equal(answer.status, 200, await answer.clone().text())
    return JSON.parse(await answer.text())
  }

  async function greetings(project: string): Promise<readonly string[]> {
    const all = await listContainers(docker, [`com.docker.compose.project=${project}`], never)
    const words = await Promise.all(
      all.map(async ({ id }) => {
        const path = `/containers/${id}/json`
        const found: unknown = await docker.ask('GET', path, { signal: never, doing: 'looking' })
        return /GREETING=(\w+)/.exec(JSON.stringify(found))?.[1] ?? ''
      }),
    )
    return words.toSorted()
  }

  test('it starts, says where, and applies what is committed', async () => {
    const revision = git.commit('the first', { 'web/compose.yaml': stack('one') })
    declare()
    await serving.start()
    assert.match(serving.log(), new RegExp(`Tend serves on ${serving.url}\n`))
    assert.match(serving.log(), /looks after +1 stack\n/)
    assert.match(serving.log(), /access +by this user's own verbs; .*tend token create --role/)
    const app = await serving.until('stack:web', ({ state }) => state === 'synced')
    assert.equal(app.synced?.revision, revision)
    assert.deepEqual(await greetings('web'), ['one'])
    for (const name of ['service.json', 'local-token']) {
      assert.equal(statSync(join(serving.home, name)).mode & 0o777, 0o600)
    }
    const token = readFileSync(join(serving.home, 'local-token'), 'utf8').trim()
    assert.ok(!readFileSync(join(serving.home, 'service.json'), 'utf8').includes(token))
  })

  test('verbs find it: get, sync, suspend, resume, diff, logs', async () => {
    const table = await serving.tend('get apps')
    assert.match(table.out, /^NAME +KIND +STATUS +HEALTH +REVISION +CONTAINERS +SYNCED +SOURCE\n/)
    assert.match(
      table.out,
      /^web +stack +✓ synced +✓ healthy +[0-9a-f]{7} +1\/1 +\d+ \w+ ago +http.*infra.git main web$/m,
    )
    const document = JSON.parse((await serving.tend('get stacks -o json')).out)
    assert.equal(document.stacks[0].key, 'stack:web')
    assert.equal(JSON.parse((await serving.tend('get app web -o json')).out).state, 'synced')
    assert.match((await serving.tend('get app web -o yaml')).out, /^key: stack:web$/m)
    assert.match((await serving.tend('get sources')).out, /infra.git +main +[0-9a-f]{7} +the first/)
    assert.match((await serving.tend('get runs')).out, /^stack:web +1 .*start-up .*succeeded/m)

    const typo = await serving.tend('get app wbe')
    assert.equal(typo.code, 2)
    assert.match(typo.err, /no application "wbe"[^]*did you mean web\?/)

    const synced = await serving.tend('sync web --wait')
    assert.equal(synced.code, 0, synced.err)
    assert.match(synced.out, /stack:web: ✓ synced/)
    assert.match((await serving.tend('diff web')).out, /stack:web is as it is declared/)
    assert.match((await serving.tend('logs web web')).out, /^I say one$/m)
    assert.match((await serving.tend('logs web web-1')).out, /^I say one$/m)
    assert.match((await serving.tend('logs web web-web-1')).out, /^I say one$/m)

    assert.match((await serving.tend('suspend web')).out, /stack:web: - suspended/)
    const refused = await serving.tend('sync web')
    assert.equal(refused.code, 1)
    assert.match(refused.err, /stack:web is suspended[^]*tend resume web/)
    assert.match((await serving.tend('resume stack:web')).out, /stack:web: /)
  })

  test('a webhook brings a commit in; another one that polling brings', async () => {
    const second = git.commit('the second', { 'web/compose.yaml': stack('two') })
    assert.equal((await hook(second)).status, 'completed')
    assert.deepEqual(await greetings('web'), ['two'])
    const back = await serving.tend('rollback web')
    assert.equal(back.code, 0, back.err)
    assert.match(back.out, /stack:web: .*1 updated/)
    assert.deepEqual(await greetings('web'), ['one'])
    declare('', '1s')
    serving.signal('SIGHUP')
    const third = git.commit('the third', { 'web/compose.yaml': stack('three') })
    await serving.until('stack:web', ({ synced }) => synced?.revision === third)
    assert.deepEqual(await greetings('web'), ['three'])
  })

  test('an edit of tend.yaml counts at once; a bad one keeps the last good', async () => {
    git.commit('another', { 'api/compose.yaml': stack('api') })
    declare('  - { stack: api, path: api }')
    await serving.until('stack:api', ({ state }) => state === 'synced')
    declare('  - { stack: api, pth: api }')
    serving.signal('SIGHUP')
    await serving.until('stack:api', () => serving.log().includes('stay as they were'))
    assert.match(serving.log(), /apps\[1\]\.pth.*at=.*tend\.yaml:\d+:\d+/)
    assert.deepEqual(await greetings('api'), ['api'])
    declare('  - { stack: api, path: api }')
  })

  test('one service a home, and a port that is taken says by whom', async () => {
    const second = await serving.tend('serve')
    assert.equal(second.code, 1)
    assert.match(second.err, /a service runs already on .*: tend serve \(pid \d+\), at http/)
    const elsewhere = await serving.tend('serve', { TEND_HOME: join(serving.folder, 'other') })
    assert.equal(elsewhere.code, 1)
    assert.match(elsewhere.err, /port \d+ is taken by node \(pid \d+\)[^]*--listen/)
  })

  test('with tokens nobody comes in without one, and this user still does by the local one', async () => {
    const { out, err } = await serving.tend('token create --role read --name reader')
    const token = out.trim()
    assert.match(token, /^tend_[\w-]{43}$/)
    assert.ok(!err.includes(token))
    const listed = await serving.tend('token list')
    assert.match(listed.out, /^\w+ +reader +read +/m)
    assert.ok(!listed.out.includes(token))
    assert.match((await serving.tend('get apps')).out, /^web/m)
    const bare = { TEND_HOME: join(serving.folder, 'nobody'), TEND_SERVER: serving.url }
    // tokens that another process made are seen after two seconds at most
    for (;;) {
      const stranger = await serving.tend('get apps', bare)
      if (stranger.code === 0) continue
      assert.match(stranger.err, /asks for a token[^]*TEND_TOKEN/)
      break
    }
    assert.equal((await serving.tend('get apps', { ...bare, TEND_TOKEN: token })).code, 0)
    const denied = await serving.tend('sync web', { ...bare, TEND_TOKEN: token })
    assert.match(denied.err, /role read may not do this[^]*role sync/)
    const id = /^(\w+) +reader/m.exec(listed.out)?.[1] ?? ''
    assert.match((await serving.tend(`token revoke ${id}`)).out, /worth nothing/)
  })

  test('SIGTERM ends it cleanly: containers stay, verbs read what it knew', async () => {
    assert.equal(await serving.stop(), 0)
    for (const name of ['service.json', 'local-token']) {
      assert.ok(!existsSync(join(serving.home, name)))
    }
    assert.deepEqual(await greetings('web'), ['three'])
    const known = await serving.tend('get apps')
    assert.match(known.err, /No service runs here/)
    assert.match(known.out, /^web +stack +✓ synced/m)
    assert.match((await serving.tend('get sources')).out, /infra.git +main/)
    assert.match((await serving.tend('get runs web')).out, /stack:web +1 /)
    const sync = await serving.tend('sync web')
    assert.equal(sync.code, 2)
    assert.match(sync.err, /no service runs here[^]*tend serve/)
    assert.match((await serving.tend('suspend web')).out, /suspended, for when/)
    await serving.start()
    await serving.until('stack:web', ({ isSuspended }) => isSuspended)
    assert.match((await serving.tend('resume web')).out, /stack:web/)
    await serving.until('stack:web', ({ state }) => state === 'synced')
  })
})
