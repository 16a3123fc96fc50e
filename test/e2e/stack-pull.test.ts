/** Images from a registry: a tag that moved there reaches those who ask for it, and a digest never moves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspectImage } from '#clients/docker/images.ts'
import { textsOf } from '#model/read-json.ts'
import { startDocker } from '../testbed/docker.ts'
import { driveStack } from '../testbed/drive-stack.ts'
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'
import { startRegistry, type Registry } from '../testbed/registry.ts'
import { tendOn } from '../testbed/tend.ts'
import { authOf } from './engine-bench.ts'
import { succeeded } from './stack-bench.ts'

const lacking = required('docker-registry')
const { signal } = new AbortController()

type Engine = {
  readonly socket: string
  readonly root: string
  /** Puts another image into the registry as app:1. */
  publish(mark: string): Promise<unknown>
  stop(): Promise<void>
}

const engines: Readonly<Record<string, (registry: Registry) => Promise<Engine>>> = {
  async Docker(registry) {
    const docker = await startDocker()
    const { socket, root } = docker
    async function publish(mark: string): Promise<void> {
      const id = await docker.addImage(`localhost/${mark}:1`, mark)
      await docker.push({ host: registry.host, auth: authOf(registry) }, id, 'app:1')
    }
    return { socket, root, publish, stop: () => docker.stop() }
  },
  async Podman(registry) {
    const podman = await startPodman({ plainRegistries: [registry.host] })
    const { socket, root } = podman
    async function publish(mark: string): Promise<void> {
      await addImage(socket, `localhost/${mark}:1`, mark)
      await registry.push(socket, `localhost/${mark}:1`, 'app:1')
    }
    return { socket, root, publish, stop: () => podman.stop() }
  },
}

for (const [engineName, program] of [
  ['Docker', 'dockerd'],
  ['Podman', 'podman'],
] as const) {
  const skip = required(program) || lacking
  void test(
    `always, refresh, missing, never and a digest on ${engineName}`,
    { skip },
    async (t) => {
      const registry = await startRegistry()
      const engine = await engines[engineName]!(registry)
      const driver = driveStack(engine.socket, engine.root, 'pulled')
      const { docker } = driver
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
      writeFileSync(join(folder, 'auth.json'), registry.authFile)
      process.env['REGISTRY_AUTH_FILE'] = join(folder, 'auth.json')

      const name = `${registry.host}/app:1`
      /** As if somebody else had put it there: what the name means here stays what it was. */
      async function moved(mark: string, here: string): Promise<void> {
        await engine.publish(mark)
        const query = { repo: `${registry.host}/app`, tag: '1' }
        const path = `/images/${encodeURIComponent(`localhost/${here}:1`)}/tag`
        await docker.ask('POST', path, { query, signal, doing: 'tag' })
      }
      async function forgotten(): Promise<void> {
        const path = `/images/${encodeURIComponent(name)}`
        await docker.ask('DELETE', path, { signal, doing: 'untag', fine: [404] })
      }
      const service = (image: string, policy: string) =>
        `{ image: "${image}", pull_policy: ${policy}, command: sleep 1000, stop_grace_period: 0s }`
      const mark = async (which: string) => driver.inside(`pulled-${which}-1`, 'cat', '/mark')

      await engine.publish('one')
      await forgotten()
      const never = await driver.up(`services: { never: ${service(name, 'never')} }`)
      assert.equal(never.end.outcome, 'failed')
      assert.match(JSON.stringify(never.problems), /pull_policy never forbids to pull it/)
      succeeded(await driver.up(`services: { lazy: ${service(name, 'missing')} }`))
      const found = await inspectImage(docker, name, signal)
      const digest = textsOf(found?.['RepoDigests']).find((one) => one.startsWith(registry.host))
      const yaml = `services:
  always: ${service(name, 'always')}
  again: ${service(name, 'refresh')}
  fixed: ${service(digest ?? '', 'missing')}
`
      succeeded(await driver.up(yaml))
      assert.equal(await mark('always'), 'one')
      const ids = await driver.ids()
      succeeded(await driver.up(yaml))
      assert.deepEqual(await driver.ids(), ids)

      await moved('two', 'one')
      const run = succeeded(await driver.up(yaml))
      assert.match(run.text, /replace container\/always-1: .* is another image now/)
      assert.equal(await mark('always'), 'two')
      assert.equal(await mark('again'), 'two')
      assert.equal((await driver.ids())['pulled-fixed-1'], ids['pulled-fixed-1'])
      const lazy = `services: { lazy: ${service(name, 'missing')} }`
      succeeded(await driver.up(lazy))
      await moved('three', 'two')
      succeeded(await driver.up(lazy))
      assert.equal(await mark('lazy'), 'two')
      succeeded(await driver.down())

      await t.test(
        'tend compose pull gets what the tag means now, and touches no container',
        async (own) => {
          const shell = tendOn(engine.socket)
          own.after(() => shell.remove())
          const must = async (line: string, code = 0) => {
            const told = await shell.tend(line)
            assert.equal(told.code, code, `${line}\n${told.out}${told.err}`)
            return told.out
          }
          shell.write({
            'compose.yaml': `name: pulled\nservices: { lazy: ${service(name, 'missing')} }\n`,
          })
          await must('up')
          const before = await driver.ids()
          assert.equal(await mark('lazy'), 'two')
          await must('compose pull')
          assert.deepEqual(await driver.ids(), before)
          assert.equal(await mark('lazy'), 'two')
          assert.match(await must('compose plan --exit-code', 3), /is another image now/)
          await must('up')
          assert.equal(await mark('lazy'), 'three')
          await must('down')
          const nobody = await shell.tend('compose pull nobody')
          assert.equal(nobody.code, 2)
          assert.match(nobody.err, /no such service: nobody/)
        },
      )
    },
  )
}
