/** A build from a folder that a container writes: what it puts there is not followed to the host, nor waited for. On both engines. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { denyAll } from '#model/policy.ts'
import type { AppStatus } from '#model/service.ts'
import { directoryRepository } from '#sources/directory-repository.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { busybox } from '../testbed/image.ts'
import { serve, stackOf } from '../testbed/serve.ts'

function isOver({ state }: AppStatus): boolean {
  return state === 'failed' || state === 'synced'
}

const writes = (script: string): string => `services:
  writer:
    image: ${busybox}
    command: ${JSON.stringify(['sh', '-c', `cd /d && ${script} && touch /done; sleep 1000`])}
    healthcheck: { test: [CMD, test, -f, /done], interval: 1s }
    volumes: ["./d:/d"]
    stop_grace_period: 0s
`

const builds = `  built:
    build: { context: ./d, dockerfile_inline: "FROM ${busybox}\\nCOPY . /context" }
    command: [sleep, "1000"]
    stop_grace_period: 0s
`

for (const [name, skip, start] of bothEngines) {
  void test(`contexts that containers write, on ${name}`, { skip, timeout: 300_000 }, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    const folder = (): string => mkdtempSync(join(engine.root, 'service-'))
    const host = folder()
    writeFileSync(join(host, 'secret'), 'of the host')
    const scripts: Readonly<Record<string, readonly [string, RegExp]>> = {
      'rules-pipe': ['mkfifo .dockerignore', /a link, a pipe or a device came in its place/],
      'other-pipe': ['mkfifo .containerignore', /a link, a pipe or a device came in its place/],
      'rules-link': [`ln -s ${host}/secret .dockerignore`, /leads to .*secret, which is not/],
    }
    for (const [key, [script, said]] of Object.entries(scripts)) {
      await t.test(key, async (own) => {
        const path = folder()
        mkdirSync(join(path, 'd'))
        writeFileSync(join(path, 'd/file'), '')
        writeFileSync(join(path, 'compose.yaml'), writes(script))
        const app = stackOf(key, `unix://${engine.socket}`, {
          path: '',
          source: { kind: 'directory', path },
          policy: { security: denyAll },
        })
        const service = serve({
          folder: folder(),
          instance: key,
          repo: directoryRepository({ path, cache: folder() }),
          declarations: { apps: [app] },
        })
        own.after(() => service.stop())
        await service.start()
        const first = await service.until(`stack:${key}`, isOver)
        assert.equal(first.state, 'synced', first.reason)
        writeFileSync(join(path, 'compose.yaml'), `${writes(script)}${builds}`)
        await service.sync(`stack:${key}`)
        const { reason } = await service.until(`stack:${key}`, isOver)
        assert.match(reason, said)
      })
    }
    assert.deepEqual(readdirSync(host), ['secret'])
  })
}
