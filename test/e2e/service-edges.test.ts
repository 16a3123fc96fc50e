/** The edge cases of the requirement, and what an operator sees meanwhile, on a real Docker. */
import { memoryAudit } from '#store/memory.ts'
import { memoryTimeline } from '#store/timeline.ts'
import assert from 'node:assert/strict'
import { serveHttp } from '#server/serve.ts'
import type { AppStatus } from '#model/service.ts'
import { memoryLeases, memoryNotes, memoryStore } from '#store/memory.ts'
import { busybox } from '../testbed/image.ts'
import { stackOf, treeOfStacks, usualDeclarations } from '../testbed/serve.ts'
import { onDocker, stackText } from './service-bench.ts'

const never = new AbortController().signal

function isSynced({ state }: AppStatus): boolean {
  return state === 'synced'
}

function isFailed({ state }: AppStatus): boolean {
  return state === 'failed'
}

function syncedTo(message: string): (status: AppStatus) => boolean {
  return ({ state, synced }) => state === 'synced' && synced?.message === message
}

onDocker(async ({ t, target, docker, proxy, repository, served, ids, containers }) => {
  const unobtainable = `services:\n  web: { image: "tend.invalid/none:1", pull_policy: never }\n`

  async function remove(path: string): Promise<void> {
    await docker.ask('DELETE', path, { query: { force: true }, signal: never, doing: 'remove' })
  }

  await t.test(
    'FR-007 FR-020 SC-005: the stacks endpoint tells each status while it lasts',
    async (own) => {
      const repo = repository()
      repo.commit({ 'shown/compose.yaml': stackText({ web: 'a' }) }, 'one')
      const service = served(own, { repo, declarations: { apps: [stackOf('shown', target)] } })
      const { notes, clock } = service.parts
      const token = 't'.repeat(40)
      const http = await serveHttp({
        service,
        notes,
        audit: memoryAudit(),
        timeline: memoryTimeline(),
        clock,
        declarations: () => usualDeclarations,
        readSecret: async () => '',
        log: () => undefined,
        fileToken: token,
      })
      own.after(() => http.close())
      async function shown(): Promise<string | undefined> {
        const headers = { authorization: `Bearer ${token}` }
        const answer = await fetch(`http://127.0.0.1:${http.address.port}/api/stacks`, { headers })
        const all: readonly { path: string; status: string }[] = JSON.parse(await answer.text())
        return all.find(({ path }) => path === 'shown')?.status
      }
      const during: Promise<string | undefined>[] = []
      service.listen((event) => {
        if (event.type === 'run' && event.event.type === 'planned') during.push(shown())
      })
      await service.start()
      await service.until('stack:shown', isSynced)
      assert.equal(await shown(), 'synced')
      assert.deepEqual(await Promise.all(during), ['syncing'])
      repo.commit({ 'shown/compose.yaml': unobtainable }, 'two')
      service.refresh()
      await service.until('stack:shown', isFailed)
      assert.equal(await shown(), 'failed')
      repo.commit({ README: 'gone' }, 'three')
      service.refresh()
      await service.until('stack:shown', ({ state }) => state === 'missing')
      assert.equal(await shown(), 'missing')
    },
  )

  await t.test('SC-001: runs of a single stack end well within three minutes', async (own) => {
    const repo = repository()
    const names = Array.from({ length: 20 }, (_, index) => `quick${index}`)
    repo.commit(
      Object.fromEntries(names.map((name) => [`${name}/compose.yaml`, stackText({ web: 'a' })])),
    )
    const apps = names.map((name) => stackOf(name, target))
    const service = served(own, { repo, declarations: { apps, concurrency: 4 } })
    await service.start()
    const durations: number[] = []
    for (const name of names) {
      await service.until(`stack:${name}`, ({ lastRun }) => lastRun !== undefined)
      const [run] = await service.runs(`stack:${name}`)
      if (run?.outcome === 'succeeded') durations.push(run.endedAt! - run.startedAt)
    }
    own.diagnostic(`${durations.length} ended well, the longest after ${Math.max(...durations)} ms`)
    const isQuick = durations.filter((lasted) => lasted < 180_000)
    assert.ok(isQuick.length >= names.length * 0.95)
  })

  await t.test(
    'edge: the runtime goes away in the middle of a run: failed, nothing lost, and ended when it is back',
    async (own) => {
      const repo = repository()
      repo.commit({ 'midway/compose.yaml': stackText({ web: 'a', db: 'a' }) }, 'one')
      const service = served(own, { repo, declarations: { apps: [stackOf('midway', target)] } })
      await service.start()
      const before = await service.until('stack:midway', isSynced)
      own.after(() => proxy.plan(() => 'pass'))
      let isAway = false
      proxy.plan(({ path, method }) => {
        isAway ||= method === 'POST' && path.includes('/containers/create')
        return isAway ? 'cut-before' : 'pass'
      })
      repo.commit({ 'midway/compose.yaml': stackText({ web: 'b', db: 'b' }) }, 'two')
      service.refresh()
      const failed = await service.until('stack:midway', isFailed)
      assert.notEqual(failed.reason, '')
      assert.deepEqual(failed.synced, before.synced)
      assert.equal(failed.desired?.message, 'two')
      const meanwhile = await containers('midway')
      assert.equal(meanwhile.filter(({ state }) => state === 'running').length, 2)
      proxy.plan(() => 'pass')
      const after = await service.until('stack:midway', syncedTo('two'))
      assert.deepEqual(after.containers, { running: 2, total: 2 })
    },
  )

  await t.test(
    'edge: an update of several stacks of which one fails: the others are updated, that one is as it was',
    async (own) => {
      const repo = repository()
      const names = ['m1', 'm2', 'm3']
      const files = (text: (name: string) => string) =>
        Object.fromEntries(names.map((name) => [`${name}/compose.yaml`, text(name)]))
      repo.commit(
        files(() => stackText({ web: 'a' })),
        'one',
      )
      const declarations = { discoveries: [treeOfStacks(target)] }
      const service = served(own, { repo, declarations })
      await service.start()
      for (const name of names) await service.until(`stack:${name}`, isSynced)
      const before = await ids('m2')
      repo.commit(
        files((name) => (name === 'm2' ? unobtainable : stackText({ web: 'b' }))),
        'two',
      )
      service.refresh()
      await service.until('stack:m1', syncedTo('two'))
      await service.until('stack:m3', syncedTo('two'))
      const failed = await service.until('stack:m2', isFailed)
      assert.equal(failed.synced?.message, 'one')
      assert.match(failed.reason, /tend\.invalid\/none/)
      assert.deepEqual(await ids('m2'), before)
    },
  )

  await t.test(
    'edge FR-012: a configuration that becomes invalid leaves what runs, and is told with its place',
    async (own) => {
      const repo = repository()
      repo.commit({ 'spoilt/compose.yaml': stackText({ web: 'a' }) }, 'one')
      const service = served(own, { repo, declarations: { apps: [stackOf('spoilt', target)] } })
      await service.start()
      const before = await service.until('stack:spoilt', isSynced)
      const running = await ids('spoilt')
      for (const [text, reason] of [
        [`services:\n  web:\n    image: ${busybox}\n    portz: [80]\n`, /:4:5: .*portz/],
        ['services: [\n', /spoilt\/compose\.yaml:\d+:\d+: /],
        [`services:\n  web: { image: ${busybox}, env_file: lost.env }\n`, /lost\.env/],
      ] as const) {
        repo.commit({ 'spoilt/compose.yaml': text })
        const [answer] = await service.pushed({ urls: [], ref: undefined, revision: undefined })
          .done
        assert.equal(answer?.status.state, 'failed')
        assert.match(answer.status.reason, reason)
        // FR-013: a file that is refused is a run, which touched nothing
        assert.equal(answer.outcome, 'refused')
        assert.deepEqual(answer.status.synced, before.synced)
        assert.deepEqual(await ids('spoilt'), running)
      }
      repo.commit({ 'spoilt/compose.yaml': stackText({ web: 'a' }) }, 'mended')
      service.refresh()
      const mended = await service.until('stack:spoilt', isSynced)
      assert.equal(mended.failures, 0)
      assert.deepEqual(await ids('spoilt'), running)
    },
  )

  await t.test(
    'edge: a stack that was partly removed while nobody looked is whole again, and what was left is left',
    async (own) => {
      const repo = repository()
      repo.commit({ 'torn/compose.yaml': stackText({ web: 'a', db: 'b' }) })
      const memory = {
        store: memoryStore(),
        notes: memoryNotes(),
        leases: memoryLeases(() => Date.now()),
      }
      const declarations = { apps: [stackOf('torn', target)] }
      const first = served(own, { repo, declarations, ...memory })
      await first.start()
      await first.until('stack:torn', isSynced)
      await first.stop()
      const before = await ids('torn')
      await remove(`/containers/${before['db']}`)
      const second = served(own, { repo, declarations, ...memory })
      await second.start()
      const whole = await second.until('stack:torn', isSynced)
      assert.deepEqual(whole.containers, { running: 2, total: 2 })
      const after = await ids('torn')
      assert.equal(after['web'], before['web'])
      await second.stop()
      // all its containers and the network too
      for (const id of Object.values(after)) await remove(`/containers/${id}`)
      await remove('/networks/torn_default')
      const third = served(own, { repo, declarations, ...memory })
      await third.start()
      const again = await third.until('stack:torn', isSynced)
      assert.deepEqual(again.containers, { running: 2, total: 2 })
      assert.equal(again.lastRun?.trigger, 'drift')
    },
  )

  await t.test('an acknowledgement outlives the service that heard it', async (own) => {
    const repo = repository()
    repo.commit({ 'word/compose.yaml': stackText({ web: 'a' }) }, 'one')
    const policy = { drift: 'flag', flagsEverything: true } as const
    const memory = {
      store: memoryStore(),
      notes: memoryNotes(),
      leases: memoryLeases(() => Date.now()),
    }
    const declarations = { apps: [stackOf('word', target, { policy })] }
    const first = served(own, { repo, declarations, ...memory })
    await first.start()
    assert.equal(first.app('stack:word').needsAcknowledgement, true)
    own.after(() => proxy.plan(() => 'pass'))
    proxy.plan(({ isWrite }) => (isWrite ? 'cut-before' : 'pass'))
    const { outcome } = await first.acknowledge('stack:word')
    assert.equal(outcome, 'failed')
    await first.stop()
    proxy.plan(() => 'pass')
    const second = served(own, { repo, declarations, ...memory })
    await second.start()
    const status = await second.until('stack:word', isSynced)
    assert.equal(status.needsAcknowledgement, false)
    repo.commit({ 'word/compose.yaml': stackText({ web: 'b' }) }, 'two')
    second.refresh()
    await second.until('stack:word', ({ needsAcknowledgement }) => needsAcknowledgement)
  })

  await t.test(
    'FR-004: what fails for a passing reason is tried again, later each time, and then it is well',
    async (own) => {
      const repo = repository()
      repo.commit({ 'patient/compose.yaml': stackText({ web: 'a' }) })
      const service = served(own, { repo, declarations: { apps: [stackOf('patient', target)] } })
      own.after(() => proxy.plan(() => 'pass'))
      proxy.plan(({ isWrite }) => (isWrite ? 'cut-before' : 'pass'))
      const pauses: number[] = []
      let seen = 0
      service.listen((event) => {
        if (event.type !== 'app' || !isFailed(event.status) || event.status.failures <= seen) return
        const { failures, nextTry, lastRun } = event.status
        seen = failures
        pauses.push((nextTry ?? NaN) - (lastRun?.at ?? NaN))
        if (failures === 3) proxy.plan(() => 'pass')
      })
      await service.start()
      const status = await service.until('stack:patient', isSynced)
      const [first = NaN, second = NaN, third = NaN] = pauses
      own.diagnostic(`pauses: ${pauses.join(', ')} ms`)
      assert.ok(first >= 500 && first <= 1_000)
      assert.ok(second >= 1_000 && second <= 2_000)
      assert.ok(third >= 2_000 && third <= 4_000)
      assert.equal(status.failures, 0)
      assert.equal((await service.runs('stack:patient')).length, 4)
    },
  )
})
