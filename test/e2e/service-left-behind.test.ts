/** What an application left behind is for the source that it came from: another one that gets its name does not get its data. */
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { listContainers } from '#clients/docker/container-list.ts'
import { dockerAt } from '#clients/docker/client.ts'
import { dockerEngine } from '#clients/docker/container-engine.ts'
import { inspectVolume } from '#clients/docker/volumes.ts'
import { denyAll } from '#model/policy.ts'
import type { AppStatus } from '#model/service.ts'
import { fakeRepository } from '../fake/repository.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { busybox } from '../testbed/image.ts'
import { serve, stackOf } from '../testbed/serve.ts'

const never = new AbortController().signal

/** It is well only where it finds nothing, or what it wrote itself. */
function web(mark: string, mount: string, more = ''): string {
  return `services:
  web:
    image: ${busybox}
    command: sh -c 'echo ${mark} >> /data/mark; sort -u /data/mark > /tmp/marks; sleep 1000'
    stop_grace_period: 0s
    volumes: ["${mount}:/data"]
${more}`
}

const named = 'volumes: { data: {} }\n'

function files(mark: string): Record<string, string> {
  return {
    'shop/compose.yaml': web(mark, 'data', named),
    'old/compose.yaml': web(mark, 'data', named),
    'site/compose.yaml': web(mark, './data'),
    'site/data/seed': mark,
  }
}

function isOver({ state }: AppStatus): boolean {
  return state === 'failed' || state === 'synced'
}

for (const [name, skip, start] of bothEngines) {
  void test(`what is left behind on ${name}`, { skip, timeout: 300_000 }, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    const target = `unix://${engine.socket}`
    const docker = dockerAt({ address: target })
    t.after(() => docker.close())
    const calls = dockerEngine(docker)
    const folder = mkdtempSync(join(engine.root, 'service-'))
    const keys = ['shop', 'old', 'site'] as const

    /** One life of the service, with all three applications from one source; what became of each. */
    async function life(
      url: string,
      mark: string,
      shared: readonly string[] = [],
    ): Promise<Record<string, AppStatus>> {
      const repo = fakeRepository(mkdtempSync(join(engine.root, 'repo-')))
      repo.commit(files(mark))
      const source = {
        kind: 'git',
        url,
        ref: 'main',
        credential: undefined,
        submodules: false,
      } as const
      const policy = { security: { ...denyAll, shared } }
      const apps = keys.map((key) => stackOf(key, target, { source, policy }))
      const service = serve({ folder, instance: 'left', repo, declarations: { apps } })
      const found: Record<string, AppStatus> = {}
      try {
        await service.start()
        for (const key of keys) found[key] = await service.until(`stack:${key}`, isOver)
      } finally {
        await service.stop()
      }
      return found
    }

    /** The containers and networks of all go, as when the application is removed; data stays. */
    async function removed(): Promise<void> {
      for (const one of await listContainers(docker, [], never)) {
        await calls.removeContainer(one.id, { seconds: 0, withVolumes: false }, never)
      }
      for (const key of keys) await calls.removeNetwork(`${key}_default`, never)
    }

    function states(found: Readonly<Record<string, AppStatus>>): string {
      return keys.map((key) => `${key}: ${found[key]?.state} ${found[key]?.reason}`).join('\n')
    }

    const first = await life('https://git.test/team/shop.git', 'one')
    assert.match(states(first), /shop: synced.*\nold: synced.*\nsite: synced/)
    // as an earlier version left it
    const before = await inspectVolume(docker, 'old_data', never)
    const { 'tend/source': label, ...labels } = before?.labels ?? {}
    assert.equal(label, 'git.test/team/shop')
    await removed()
    await calls.removeVolume('old_data', never)
    await calls.createVolume({ Name: 'old_data', Labels: labels }, never)

    const other = await life('https://git.test/evil/shop', 'two')
    const allowing = /security: \{shared: \[source\/git\.test\/team\/shop\]\}/
    for (const key of ['shop', 'old'] as const) {
      assert.equal(other[key]?.state, 'failed', states(other))
      assert.match(
        other[key].reason,
        new RegExp(`volume ${key}_data, which stack:${key} left behind`),
      )
      assert.match(other[key].reason, allowing)
      assert.match(other[key].reason, /compose.yaml:\d+/)
    }
    assert.equal(other['site']?.state, 'failed', states(other))
    assert.match(other['site'].reason, /the folder \S+app-stack-site, which stack:site left behind/)
    assert.match(other['site'].reason, allowing)
    assert.deepEqual(await listContainers(docker, [], never), [])

    const back = await life('ssh://git@git.test:22/team/shop/', 'one')
    assert.match(states(back), /shop: synced.*\nold: synced.*\nsite: synced/)
    await removed()
    const lent = await life('https://git.test/evil/shop', 'three', ['source/git.test/team/shop'])
    assert.match(states(lent), /shop: synced.*\nold: synced.*\nsite: synced/)
  })
}
