/** A thousand applications: how long until all are known, how much memory that takes, and what a quiet cycle costs. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bindFilesIn } from '#sources/bind-files.ts'
import { openStore } from '#store/open.ts'
import { tellingDocker, type Running } from '../fake/docker-lists.ts'
import { fakeRepository, type Files } from '../fake/repository.ts'
import { runningStack } from '../testbed/running-stack.ts'
import { serve, treeOfStacks } from '../testbed/serve.ts'

const count = 1000
const since = 1_700_000_000_000

function stack(name: string): string {
  return `services:
  web: { image: nginx, ports: ["80"], environment: { NAME: ${name} }, depends_on: [db], restart: always }
  db: { image: postgres, environment: { POSTGRES_DB: ${name} }, restart: always }
`
}

test('SC-003 FR-019: a thousand stacks are known after a start without a database, and a quiet cycle is one round of lists', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-many-'))
  const files: Record<string, string> = {}
  for (let i = 0; i < count; i += 1) files[`s${i}/compose.yaml`] = stack(`s${i}`)
  const repo = fakeRepository(folder)
  const revision = repo.commit(files satisfies Files)
  const snapshot = await repo.snapshot(revision, 'main', AbortSignal.timeout(1000))
  const { key, store, notes, leases } = await openStore({ home: join(folder, 'home') })
  const bindFiles = bindFilesIn(join(folder, 'files'))
  const running: Running[] = []
  for (let i = 0; i < count; i += 1) {
    running.push(await runningStack(`s${i}`, snapshot, { since, key, bindFiles }))
  }
  const docker = await tellingDocker(join(folder, 'docker.sock'), 'test', running)
  running.length = 0
  const declarations = { discoveries: [treeOfStacks(`unix://${docker.socket}`)] }
  const more = { bindFiles, store, notes, leases, key }
  t.after(async () => {
    await docker.stop()
    await store.close()
    rmSync(folder, { recursive: true })
  })
  for (const round of ['without a memory', 'with a memory']) {
    const service = serve({ repo, folder, declarations, ...more })
    docker.calls.length = 0
    const began = performance.now()
    await service.start()
    const seconds = (performance.now() - began) / 1000
    const states = new Set(service.apps().map(({ state }) => state))
    const memory = process.memoryUsage.rss() / 1024 ** 2
    t.diagnostic(
      `${round}: all known after ${seconds.toFixed(1)} s, ${memory.toFixed(0)} MB resident`,
    )
    assert.deepEqual([...states], ['synced'], service.lines.slice(0, 5).join('\n'))
    assert.equal(service.apps().length, count)
    assert.ok(service.apps().every(({ synced }) => synced?.revision === 'r' && synced.at === 1000))

    docker.calls.length = 0
    const asked = repo.asked.latest
    const cpu = process.cpuUsage()
    const { done } = service.pushed({ urls: [], ref: undefined, revision: undefined })
    assert.equal((await done).length, count)
    const { user, system } = process.cpuUsage(cpu)
    t.diagnostic(
      `a refresh of ${count} unchanged ones: ${((user + system) / 1000).toFixed(0)} ms of CPU`,
    )
    assert.equal(repo.asked.latest, asked + 1)
    assert.ok(!docker.calls.some((call) => /POST|DELETE|PUT/.test(call)), docker.calls.join('\n'))
    assert.equal(docker.calls.filter((call) => call.endsWith('/events')).length <= 1, true)
    await service.stop()
  }
})
