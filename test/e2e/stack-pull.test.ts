/** Images from a registry: a tag that moved there reaches those who ask for it, and a digest never moves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspectImage } from '#clients/docker/images.ts'
import { textsOf } from '#clients/http/read.ts'
import { startDocker } from '../testbed/docker.ts'
import { driveStack } from '../testbed/drive-stack.ts'
import { required } from '../testbed/packages.ts'
import { startRegistry } from '../testbed/registry.ts'
import { authOf } from './engine-bench.ts'
import { succeeded } from './stack-bench.ts'

const skip = required('dockerd') || required('docker-registry')

void test('always, missing and a digest', { skip }, async (t) => {
  const registry = await startRegistry()
  const engine = await startDocker()
  const driver = driveStack(engine.socket, engine.root, 'pulled')
  const folder = mkdtempSync(join(tmpdir(), 'tend-auth-'))
  const before = process.env['REGISTRY_AUTH_FILE']
  t.after(async () => {
    driver.close()
    await engine.stop()
    await registry.stop()
    rmSync(folder, { recursive: true })
    if (before === undefined) delete process.env['REGISTRY_AUTH_FILE']
    else process.env['REGISTRY_AUTH_FILE'] = before
  })
  const auth = Buffer.from(`${registry.user}:${registry.password}`).toString('base64')
  const file = join(folder, 'auth.json')
  writeFileSync(file, JSON.stringify({ auths: { [registry.host]: { auth } } }))
  process.env['REGISTRY_AUTH_FILE'] = file

  const name = `${registry.host}/app:1`
  async function publish(mark: string): Promise<string> {
    const id = await engine.addImage(`localhost/${mark}:1`, mark)
    await engine.push({ host: registry.host, auth: authOf(registry) }, id, 'app:1')
    const found = await inspectImage(driver.docker, name, new AbortController().signal)
    return textsOf(found?.['RepoDigests']).find((one) => one.startsWith(registry.host)) ?? ''
  }
  const digest = await publish('one')
  const service = (image: string, policy: string) =>
    `{ image: "${image}", pull_policy: ${policy}, command: sleep 1000, stop_grace_period: 0s }`
  const yaml = `services:
  always: ${service(name, 'always')}
  fixed: ${service(digest, 'missing')}
`
  succeeded(await driver.up(yaml))
  const mark = async (which: string) => driver.inside(`pulled-${which}-1`, 'cat', '/mark')
  assert.equal(await mark('always'), 'one')
  const ids = await driver.ids()
  succeeded(await driver.up(yaml))
  assert.deepEqual(await driver.ids(), ids)

  await publish('two')
  // the tag here is what it was before somebody else moved it there
  const { docker } = driver
  const { signal } = new AbortController()
  const where = `/images/${encodeURIComponent('localhost/one:1')}/tag`
  const query = { repo: `${registry.host}/app`, tag: '1' }
  await docker.ask('POST', where, { query, signal, doing: 'tag' })
  const run = succeeded(await driver.up(yaml))
  assert.match(run.text, /replace container\/always-1: .* is another image now/)
  assert.equal(await mark('always'), 'two')
  assert.equal((await driver.ids())['pulled-fixed-1'], ids['pulled-fixed-1'])
  succeeded(await driver.down())
})
