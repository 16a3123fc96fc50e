/** Who comes from docker-cd changes the program and gives a token: its variables declare everything. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { dockerAt } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { requiredDocker, startDocker } from '../testbed/docker.ts'
import { gitBench } from '../testbed/git.ts'
import { startGitHttp } from '../testbed/git-http.ts'
import { busybox } from '../testbed/image.ts'
import { servingOn, waitFor } from '../testbed/serving.ts'

const token = 'a-token-of-the-operator-0123456789'

function stack(greeting: string): string {
  return `
services:
  web: { image: "${busybox}", command: sleep 1000, environment: { GREETING: ${greeting} }, stop_grace_period: 0s }
`
}

test("docker-cd's variables alone", { skip: requiredDocker() }, async (t) => {
  const engine = await startDocker()
  t.after(() => engine.stop())
  await engine.addImage()
  const git = gitBench()
  t.after(() => git.remove())
  const password = { user: 'x-access-token', token: 'read-only' }
  const http = await startGitHttp({ folder: git.folder, password })
  t.after(() => http.stop())
  writeFileSync(join(git.folder, 'token'), token)
  const serving = await servingOn((port) => ({
    GIT_REPO_URL: `${http.origin}/infra.git`,
    GIT_ACCESS_TOKEN: password.token,
    GIT_REVISION: 'main',
    GIT_DEPLOY_DIR: 'deploy',
    PORT: String(port),
    DOCKER_SOCKET: engine.socket,
    REFRESH_POLL_INTERVAL: '1s',
    RECONCILE_REMOVE_ENABLED: 'true',
    PROJECT_NAME: 'Shop',
    TEND_TOKEN_FILE: join(git.folder, 'token'),
  }))
  t.after(() => serving.remove())
  git.commit('two stacks', {
    'deploy/web/docker-compose.yml': stack('one'),
    'deploy/api/docker-compose.yml': stack('api'),
  })
  // of docker-cd, and gone from Git before Tend came
  const docker = dockerAt({ address: `unix://${engine.socket}` })
  t.after(() => docker.close())
  const labels = {
    'com.docker-cd.stack.path': 'stray',
    'com.docker.compose.project': 'stray',
    'com.docker.compose.service': 'web',
    'com.docker.compose.container-number': '1',
    'com.docker.compose.oneoff': 'False',
    'com.docker.compose.config-hash': 'abc',
  }
  const never = new AbortController().signal
  await docker.ask('POST', '/containers/create', {
    query: { name: 'stray-web-1' },
    body: { Image: busybox, Cmd: ['sleep', '1000'], Labels: labels },
    signal: never,
    doing: 'making a stray',
  })
  await docker.ask('POST', '/containers/stray-web-1/start', { signal: never, doing: 'starting it' })
  async function strays(): Promise<readonly string[]> {
    const all = await listContainers(docker, ['com.docker-cd.stack.path=stray'], never)
    return all.map(({ id, state }) => `${id} ${state}`)
  }
  const before = await strays()
  assert.equal(before.length, 1)

  await serving.start()
  assert.match(serving.log(), /declared in +the environment/)
  assert.match(serving.log(), /access +with the token in .*token\n/)
  await serving.until('stack:web', ({ state }) => state === 'synced')
  await serving.until('stack:api', ({ state }) => state === 'synced')
  assert.match(serving.log(), /the webhook is closed; TEND_OPEN_WEBHOOK=true opens it/)

  assert.equal((await fetch(`${serving.url}/api/stacks`)).status, 401)
  const headers = { authorization: `Bearer ${token}` }
  type Stack = { readonly path: string; readonly status: string }
  async function stacks(): Promise<readonly Stack[]> {
    return JSON.parse(await (await fetch(`${serving.url}/api/stacks`, { headers })).text())
  }
  const told = (await stacks()).map(({ path, status }) => `${path} ${status}`)
  assert.deepEqual(told.toSorted(), ['api synced', 'web synced'])

  // before Git answers again they lie where they lay
  await serving.stop()
  http.answer(503)
  await serving.start()
  const paths = async () => (await stacks()).map(({ path }) => path).toSorted()
  await waitFor(async () => (await paths()).length === 2)
  assert.deepEqual(await paths(), ['api', 'web'])
  http.answer(undefined)
  await serving.until('stack:web', ({ state }) => state === 'synced')
  assert.deepEqual(await paths(), ['api', 'web'])

  // what reaches the host is denied, though docker-cd would have started it; what does not is warned of
  git.commit('two that ask for more', {
    'deploy/bold/docker-compose.yml': stack('bold').replace('image:', 'privileged: true, image:'),
    'deploy/net/docker-compose.yml': stack('net').replace('image:', 'cap_add: [NET_ADMIN], image:'),
  })
  const bold = await serving.until('stack:bold', ({ state }) => state === 'failed')
  assert.match(bold.reason, /web: privileged is denied by the policy .*set TEND_SECURITY=warn/)
  await serving.until('stack:net', ({ state }) => state === 'synced')
  git.commit('one goes', { 'deploy/api/docker-compose.yml': null })
  await serving.until('stack:api', ({ state }) => state === 'missing')
  assert.match((await serving.tend('get stacks')).out, /^api +stack +- missing/m)
  // what Tend did not start and Git does not have is no business of its removals
  assert.deepEqual(await strays(), before)
  assert.match(serving.log(), /docker-cd started it and it is not in the repository.*stray/)
  assert.equal(await serving.stop(), 0)
})
