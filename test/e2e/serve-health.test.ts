/** `tend status`, `tend get apps`, the API, /readyz and the metrics of a running service say the same of a stack that is not well. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { dockerAt } from '#clients/docker/client.ts'
import { requiredDocker, startDocker } from '../testbed/docker.ts'
import { servingOn, waitFor } from '../testbed/serving.ts'
import { checkedStack } from './health-bench.ts'

const never = new AbortController().signal

void test('one answer wherever it is asked for', { skip: requiredDocker() }, async (t) => {
  const engine = await startDocker()
  await engine.addImage()
  const serving = await servingOn({
    DOCKER_HOST: `unix://${engine.socket}`,
    DOCKER_CONFIG: composeIn(engine.root, '2.40.3'),
  })
  const docker = dockerAt({ address: `unix://${engine.socket}` })
  t.after(async () => {
    await serving.remove()
    docker.close()
    await engine.stop()
  })
  mkdirSync(join(serving.folder, 'stacks/web'), { recursive: true })
  writeFileSync(join(serving.folder, 'stacks/web/compose.yaml'), checkedStack())
  serving.declare(`sources: { here: { directory: ./stacks } }
apps:
  - { stack: web, source: here, path: web, health: alert, drift: flag }
`)
  await serving.start()
  await serving.until(
    'stack:web',
    ({ health, state }) => state === 'synced' && health.state === 'healthy',
  )
  assert.deepEqual(await answers(), { get: 'healthy', status: 'healthy', code: 0 })
  assert.equal(await exitCode(), 0)

  const asked = { signal: never, doing: 'test' }
  const { body: found } = await docker.ask('GET', '/containers/web-web-1/json', asked)
  const { Labels: labels } = JSON.parse(JSON.stringify(found)).Config
  assert.equal(labels['com.docker.compose.version'], '2.40.3', 'as the machine would label it')

  const broken = Date.now()
  await inside('rm', '/tmp/well')
  await serving.until('stack:web', ({ health }) => health.state === 'failed')
  assert.deepEqual(await answers(), { get: 'failed', status: 'failed', code: 1 })
  assert.equal(await exitCode(), 1)
  const listed = await serving.tend('get apps')
  assert.match(listed.out, /web +stack +✓ synced +✗ failed/)
  assert.match(listed.out, /health: container\/web-1: its health check failed/)
  const stacks = JSON.parse(await (await serving.api('/api/stacks')).text())
  assert.equal(stacks[0].status, 'failed')
  assert.match(stacks[0].lastSyncError, /its health check failed/)
  assert.match(await (await serving.api('/readyz')).text(), /^ready\nfailed 1\n$/)
  const metrics = await (await serving.api('/metrics')).text()
  assert.match(metrics, /^tend_app_health\{app="stack:web",state="failed"\} 1$/m)
  const resources = JSON.parse(await (await serving.api('/api/v1/apps/stack:web/resources')).text())
  const web = resources.find(({ ref }: { readonly ref: string }) => ref === 'container/web-1')
  assert.equal(web.health.state, 'failed')
  assert.equal(web.sync.state, 'synced')
  assert.ok(web.health.since > broken, 'since it was broken, and not since it was made')
  assert.ok(web.sync.since < broken, 'what is broken is in sync since it was made')
  await waitFor(async () => {
    const [app] = JSON.parse(await (await serving.api('/api/v1/apps')).text())
    return app.health.details?.[0] === 'the web began'
  })

  const changed = Date.now()
  const limit = { Memory: 64 * 1024 * 1024, MemorySwap: -1 }
  await docker.ask('POST', '/containers/web-web-1/update', { ...asked, body: limit })
  await serving.until('stack:web', ({ sync }) => sync.state === 'drifted')
  const { resources: told } = JSON.parse((await serving.tend('status web -o json')).out)
  const sinceOf = (kind: string): number =>
    Date.parse(told.find((one: { readonly kind: string }) => one.kind === kind).sync.since)
  assert.ok(sinceOf('container') > changed, 'drifted since it was changed')
  assert.ok(sinceOf('network') < broken, 'and nothing else of it')
  assert.match((await serving.tend('status web')).out, /web-1 +drifted .*, \d+ seconds?$/m)

  await inside('touch', '/tmp/well')
  await serving.until('stack:web', ({ health }) => health.state === 'healthy')
  assert.equal(await exitCode(), 3, 'well, and not as declared')
  await engine.halt()
  await serving.until('stack:web', ({ health }) => health.state === 'unknown')
  assert.equal(await exitCode(), 5, 'nobody knows')
  await engine.resume()

  async function exitCode(): Promise<number | null> {
    return (await serving.tend('status web --exit-code')).code
  }

  async function inside(...words: readonly string[]): Promise<void> {
    const made = await docker.ask('POST', '/containers/web-web-1/exec', {
      ...asked,
      body: { Cmd: words },
    })
    const { Id: id } = JSON.parse(JSON.stringify(made.body))
    await docker.ask('POST', `/exec/${id}/start`, { ...asked, body: { Detach: true } })
  }

  async function answers() {
    const get = JSON.parse((await serving.tend('get app web -o json')).out)
    const told = await serving.tend('status web -o json')
    const status = JSON.parse(told.out)
    return { get: get.health.state, status: status.health.state, code: told.code }
  }
})

void test(
  'a first run that failed is told alike wherever it is asked for, also without the service',
  { skip: requiredDocker() },
  async (t) => {
    const engine = await startDocker()
    await engine.addImage()
    const serving = await servingOn({ DOCKER_HOST: `unix://${engine.socket}` })
    t.after(async () => {
      await serving.remove()
      await engine.stop()
    })
    mkdirSync(join(serving.folder, 'stacks/web'), { recursive: true })
    const missing = checkedStack().replace(/image: .*/, 'image: no/such:1\n    pull_policy: never')
    writeFileSync(join(serving.folder, 'stacks/web/compose.yaml'), missing)
    serving.declare(`sources: { here: { directory: ./stacks } }
apps:
  - { stack: web, source: here, path: web }
`)
    await serving.start()
    await serving.until('stack:web', ({ state }) => state === 'failed')
    const reason = /container\/web-1: it does not exist: image no\/such:1 is not there/
    const listed = await serving.tend('get apps')
    assert.match(listed.out, /web +stack +✗ failed +✗ failed/)
    assert.match(listed.out, /image no\/such:1 is not there/)
    const get = JSON.parse((await serving.tend('get app web -o json')).out)
    assert.equal(get.health.state, 'failed')
    assert.match(get.health.reason, reason)
    assert.match(await (await serving.api('/readyz')).text(), /^ready\nfailed 1\n$/)
    const [stack] = JSON.parse(await (await serving.api('/api/stacks')).text())
    assert.equal(stack.status, 'failed')
    assert.match(stack.lastSyncError, /image no\/such:1 is not there/)
    const metrics = await (await serving.api('/metrics')).text()
    assert.match(metrics, /^tend_app_health\{app="stack:web",state="failed"\} 1$/m)
    const beside = await serving.tend('status web -o json')
    assert.equal(beside.code, 1)
    assert.equal(JSON.parse(beside.out).health.state, 'failed')
    assert.match(JSON.parse(beside.out).health.reason, reason)

    await serving.stop()
    const alone = await serving.tend('status web -o json')
    assert.equal(alone.code, 1)
    assert.equal(JSON.parse(alone.out).health.state, 'failed')
  },
)

/** A folder of Docker's settings with a docker compose of this version in it. */
function composeIn(root: string, version: string): string {
  const folder = join(root, 'docker-config')
  mkdirSync(join(folder, 'cli-plugins'), { recursive: true })
  const program = `#!/bin/sh\necho ${version}\n`
  writeFileSync(join(folder, 'cli-plugins/docker-compose'), program, { mode: 0o755 })
  return folder
}
