/** The engine of 500 applications goes away and comes back: two lines in the log, few calls, and all are well within a minute. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test, type TestContext } from 'node:test'
import { bindFilesIn } from '#sources/bind-files.ts'
import { tellingDocker } from '../fake/docker-lists.ts'
import { fakeRepository } from '../fake/repository.ts'
import { runningStack } from '../testbed/running-stack.ts'
import { serve, treeOfStacks, type Served } from '../testbed/serve.ts'

const count = 500
const since = 1_700_000_000_000

async function manyStacks(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'tend-outage-'))
  const names = Array.from({ length: count }, (_, at) => `s${at}`)
  const repo = fakeRepository(folder)
  const files = names.map((name) => [`${name}/compose.yaml`, `services: { web: { image: nginx } }`])
  const revision = repo.commit(Object.fromEntries(files))
  const snapshot = await repo.snapshot(revision, 'main', AbortSignal.timeout(1000))
  const bindFiles = bindFilesIn(join(folder, 'files'))
  const key = new Uint8Array(32)
  const running = await Promise.all(
    names.map((name) => runningStack(name, snapshot, { since, key, bindFiles })),
  )
  const docker = await tellingDocker(join(folder, 'docker.sock'), 'test', running)
  const declarations = { discoveries: [treeOfStacks(`unix://${docker.socket}`)] }
  const service = serve({ repo, folder, declarations, bindFiles, key })
  t.after(async () => {
    docker.hangs = false
    await service.stop()
    await docker.stop()
    rmSync(folder, { recursive: true })
  })
  await service.start()
  return { service, docker }
}

/** How long it took until all were so, ms. */
async function untilAll(service: Served, state: string): Promise<number> {
  const began = performance.now()
  while (!service.apps().every((app) => app.state === state)) {
    const waited = performance.now() - began
    assert.ok(waited < 60_000, `not all ${state} after a minute:\n${service.lines.join('\n')}`)
    await pause(20)
  }
  return performance.now() - began
}

function told(service: Served, words: string): readonly string[] {
  return service.lines.filter((line) => line.includes(words))
}

test('500 applications while their engine is gone, and after it', async (t) => {
  const { service, docker } = await manyStacks(t)
  await untilAll(service, 'synced')
  await docker.stop()
  await untilAll(service, 'failed')
  await pause(3_000)
  assert.equal(told(service, "the engine can't be reached").length, 1)
  assert.match(
    told(service, "the engine can't be reached")[0] ?? '',
    /^error .*docker\.sock.*since.*why/,
  )
  docker.calls.length = 0
  // the lists of a cold engine take longer than the eight seconds that a look once had
  docker.slowness = 10_000
  await docker.start()
  const took = await untilAll(service, 'synced')
  t.diagnostic(`${count} applications were well ${(took / 1000).toFixed(1)} s after their engine`)
  const lists = docker.calls.filter((call) => call.endsWith('/containers/json')).length
  assert.ok(lists <= 2, docker.calls.join('\n'))
  assert.equal(told(service, 'the engine can be reached again').length, 1)
  assert.match(told(service, 'the engine can be reached again')[0] ?? '', /"seconds":\d/)
  while (!docker.calls.includes('GET /events')) await pause(20)
  assert.equal(service.lines.filter((line) => /^(warning|error) /.test(line)).length, 1)
})

test('an engine that hangs is asked less and less often, and its stream of events is opened anew', async (t) => {
  const { service, docker } = await manyStacks(t)
  await untilAll(service, 'synced')
  docker.hangs = true
  await untilAll(service, 'failed')
  docker.calls.length = 0
  const began = performance.now()
  await pause(15_000)
  const seconds = (performance.now() - began) / 1000
  t.diagnostic(
    `${docker.calls.length} calls in ${seconds.toFixed(0)} s: ${[...new Set(docker.calls)].join(', ')}`,
  )
  assert.ok(docker.calls.length <= seconds, docker.calls.join('\n'))
  assert.deepEqual(new Set(docker.calls), new Set(['GET /_ping']))
  docker.calls.length = 0
  docker.hangs = false
  const took = await untilAll(service, 'synced')
  t.diagnostic(`${count} applications were well ${(took / 1000).toFixed(1)} s after their engine`)
  while (!docker.calls.includes('GET /events')) await pause(20)
  assert.equal(told(service, "the engine can't be reached").length, 1)
  assert.equal(told(service, 'the engine can be reached again').length, 1)
})
