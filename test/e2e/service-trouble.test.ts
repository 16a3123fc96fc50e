/** What goes wrong around the service, and what it makes of it: the requirement's edge cases, on a real Docker. */
import assert from 'node:assert/strict'
import { openAlerts } from '#controller/alerts/open-alerts.ts'
import type { AlertChannel } from '#model/declaration.ts'
import type { AppStatus } from '#model/service.ts'
import { memoryLeases, memoryNotes, memoryStore } from '#store/memory.ts'
import { busybox } from '../testbed/image.ts'
import { systemClock } from '../testbed/drive.ts'
import { waitFor } from '../testbed/serving.ts'
import { webStandIn } from '../testbed/web-stand-in.ts'
import { stackOf, treeOfStacks } from '../testbed/serve.ts'
import { onDocker, stackText } from './service-bench.ts'

const never = new AbortController().signal

function isSynced({ state }: AppStatus): boolean {
  return state === 'synced'
}

onDocker(async ({ t, target, docker, proxy, repository, served, ids, containers }) => {
  await t.test(
    'edge, SC-002: a container that was stopped or removed by hand beside a running one is back within two seconds',
    async (own) => {
      const repo = repository()
      repo.commit({ 'hands/compose.yaml': stackText({ web: 'a', db: 'b' }) })
      const service = served(own, { repo, declarations: { apps: [stackOf('hands', target)] } })
      await service.start()
      await service.until('stack:hands', isSynced)
      const before = await ids('hands')
      for (const harm of ['stop', 'remove'] as const) {
        const began = Date.now()
        if (harm === 'stop')
          await docker.ask('POST', `/containers/${before['web']}/kill`, {
            signal: never,
            doing: 'kill',
          })
        else
          await docker.ask('DELETE', `/containers/${before['db']}`, {
            query: { force: true },
            signal: never,
            doing: 'remove',
          })
        await service.until('stack:hands', ({ state }) => state !== 'synced')
        const status = await service.until('stack:hands', isSynced)
        const lasted = Date.now() - began
        own.diagnostic(`${harm}: back after ${lasted} ms`)
        assert.equal(status.lastRun?.trigger, 'drift')
        assert.deepEqual(status.containers, { running: 2, total: 2 })
      }
      const after = await ids('hands')
      assert.equal(after['web'], before['web'])
      assert.notEqual(after['db'], before['db'])
    },
  )

  await t.test(
    'edge: a limit that was changed with docker update is drift, and put right without a new container',
    async (own) => {
      const repo = repository()
      const limited = stackText({ web: 'a' }, '    mem_limit: 64m\n')
      repo.commit({ 'limits/compose.yaml': limited })
      const service = served(own, { repo, declarations: { apps: [stackOf('limits', target)] } })
      await service.start()
      await service.until('stack:limits', isSynced)
      const before = await ids('limits')
      await docker.ask('POST', `/containers/${before['web']}/update`, {
        body: { Memory: 32 * 2 ** 20, MemorySwap: 64 * 2 ** 20 },
        signal: never,
        doing: 'update',
      })
      await service.until('stack:limits', ({ lastRun }) => lastRun?.trigger === 'drift')
      await service.until('stack:limits', isSynced)
      const { body } = await docker.ask('GET', `/containers/${before['web']}/json`, {
        signal: never,
        doing: 'inspect',
      })
      assert.match(JSON.stringify(body), new RegExp(`"Memory":${64 * 2 ** 20},`))
      assert.deepEqual(await ids('limits'), before)
    },
  )

  await t.test(
    'edge: an engine that is not there shows as failed within ten seconds, and all is well again by itself',
    async (own) => {
      const repo = repository()
      repo.commit({ 'away/compose.yaml': stackText({ web: 'a' }) })
      const service = served(own, { repo, declarations: { apps: [stackOf('away', target)] } })
      await service.start()
      await service.until('stack:away', isSynced)
      own.after(() => proxy.plan(() => 'pass'))
      const began = Date.now()
      proxy.plan(() => 'hang')
      const status = await service.until('stack:away', ({ state }) => state === 'failed')
      assert.ok(Date.now() - began < 10_000, `${Date.now() - began} ms`)
      assert.match(status.reason, /does not answer/)
      assert.ok(status.synced)
      proxy.plan(() => 'pass')
      await service.until('stack:away', isSynced)
    },
  )

  await t.test(
    'edge, FR-004: an invalid file fails with its place, and the others go on',
    async (own) => {
      const repo = repository()
      repo.commit({
        'bad/compose.yaml': `services:\n  web:\n    image: ${busybox}\n    portz: [80]\n`,
        'good/compose.yaml': stackText({ web: 'a' }),
      })
      const service = served(own, { repo, declarations: { discoveries: [treeOfStacks(target)] } })
      await service.start()
      await service.until('stack:good', isSynced)
      const bad = service.app('stack:bad')
      assert.equal(bad.state, 'failed')
      assert.match(bad.reason, /^bad\/compose\.yaml:4:5: .*portz/)
      // nothing of it ever ran: when it goes there is nothing to tell of
      repo.commit({ 'good/compose.yaml': stackText({ web: 'a' }) })
      service.refresh()
      await waitFor(() => !service.apps().some(({ key }) => key === 'stack:bad'))
    },
  )

  await t.test(
    'FR-019 FR-004 SC-005: what fails for good is put back, not tried again, and mended by a new revision',
    async (own) => {
      const repo = repository()
      const good = stackText({ web: 'a' })
      repo.commit({ 'wrong/compose.yaml': good }, 'good')
      const service = served(own, { repo, declarations: { apps: [stackOf('wrong', target)] } })
      await service.start()
      const before = await service.until('stack:wrong', isSynced)
      const id = await ids('wrong')
      const broken = `services:\n  web:\n    image: ${busybox}\n    command: sh -c "exit 3"\n    restart: always\n    healthcheck: { test: ["CMD", "false"], interval: 1s, retries: 1 }\n    stop_grace_period: 0s\n`
      repo.commit({ 'wrong/compose.yaml': broken }, 'broken')
      service.refresh()
      const failed = await service.until('stack:wrong', ({ state }) => state === 'failed')
      assert.equal(failed.lastRun?.isRolledBack, true)
      assert.deepEqual(failed.synced, before.synced)
      assert.equal(failed.desired?.message, 'broken')
      assert.equal(failed.nextTry, undefined)
      assert.equal(failed.failures, 1)
      assert.deepEqual(await ids('wrong'), id)
      // looks and refreshes are no reason to try again
      proxy.reset()
      const { done } = service.pushed({ urls: [], ref: undefined, revision: undefined })
      const [answer] = await done
      assert.equal(answer?.outcome, undefined)
      assert.deepEqual(proxy.writes(), [])
      repo.commit({ 'wrong/compose.yaml': stackText({ web: 'b' }) }, 'mended')
      service.refresh()
      const mended = await service.until('stack:wrong', isSynced)
      assert.equal(mended.synced?.message, 'mended')
      assert.equal(mended.failures, 0)
    },
  )

  await t.test(
    'what ends with an error soon after each repair has failed, and that is told',
    async (own) => {
      const web = await webStandIn()
      const ops: AlertChannel = {
        name: 'ops',
        kind: 'webhook',
        url: { text: `${web.url}/hook` },
        secret: undefined,
        settings: {},
      }
      const alerts = await openAlerts({
        instance: 'tend',
        declared: () => ({
          alerts: { failures: 3, after: 600_000, channels: [ops] },
          commitStatus: [],
        }),
        notes: memoryNotes(),
        clock: systemClock,
        readSecret: async () => '',
        warn: () => undefined,
      })
      own.after(async () => {
        await alerts.close()
        await web.close()
      })
      const told = (): readonly { readonly type: string; readonly reason: string }[] =>
        web.seen.map(({ body }) => JSON.parse(body))
      const repo = repository()
      const text = `services:\n  web:\n    image: ${busybox}\n    command: sh -c "sleep 1; echo no disk; exit 3"\n`
      repo.commit({ 'ends/compose.yaml': text })
      const service = served(own, { repo, declarations: { apps: [stackOf('ends', target)] } })
      service.listen((event) => alerts.see(event))
      await service.start()
      const failed = await service.until('stack:ends', ({ state }) => state === 'failed')
      assert.match(failed.reason, /web.* exit code 3 after each of 3 repairs: no disk/)
      assert.equal(failed.failures, 3)
      assert.ok(failed.nextTry !== undefined)
      await waitFor(() => web.seen.length > 0)
      assert.match(told()[0]?.reason ?? '', /web.* exit code 3 after each of 3 repairs: no disk/)
      repo.commit({ 'ends/compose.yaml': stackText({ web: 'a' }) })
      service.refresh()
      await service.until('stack:ends', isSynced)
      await waitFor(() => web.seen.length > 1)
      // once for the trouble, however often it was tried again, and once for its end
      assert.deepEqual(
        told().map(({ type }) => type),
        ['failing', 'recovered'],
      )
    },
  )

  await t.test('FR-013: a failure and its time outlive the service', async (own) => {
    const repo = repository()
    repo.commit({
      'poor/compose.yaml': `services:\n  web: { image: "tend.invalid/none:1", pull_policy: never }\n`,
    })
    const memory = {
      store: memoryStore(),
      notes: memoryNotes(),
      leases: memoryLeases(() => Date.now()),
    }
    const declarations = { apps: [stackOf('poor', target)] }
    const first = served(own, { repo, declarations, ...memory })
    await first.start()
    const before = await first.until('stack:poor', ({ state }) => state === 'failed')
    await first.stop()
    const second = served(own, { repo, declarations, ...memory })
    await second.start()
    const after = second.app('stack:poor')
    assert.equal(after.state, 'failed')
    assert.equal(after.reason, before.reason)
    assert.deepEqual(after.lastRun, before.lastRun)
  })

  await t.test('a commit that can not be read leaves what runs in good hands', async (own) => {
    const repo = repository()
    repo.commit({ 'torn/compose.yaml': stackText({ web: 'a' }) })
    const service = served(own, { repo, declarations: { apps: [stackOf('torn', target)] } })
    await service.start()
    await service.until('stack:torn', isSynced)
    const before = await ids('torn')
    repo.commit({ 'torn/compose.yaml': 'services: [' })
    service.refresh()
    const { reason } = await service.until('stack:torn', ({ state }) => state === 'failed')
    const path = `/containers/${before['web']}`
    await docker.ask('DELETE', path, { query: { force: true }, signal: never, doing: 'remove' })
    const mended = await service.until('stack:torn', ({ lastRun }) => lastRun?.trigger === 'drift')
    assert.deepEqual([mended.lastRun?.outcome, mended.containers.running], ['succeeded', 1])
    const after = await service.until('stack:torn', ({ state }) => state !== 'syncing')
    assert.deepEqual([after.state, after.reason], ['failed', reason])
  })

  await t.test('Git is not there: the last good snapshot stays, and that is said', async (own) => {
    const repo = repository()
    repo.commit({ 'git/compose.yaml': stackText({ web: 'a' }) })
    const memory = {
      store: memoryStore(),
      notes: memoryNotes(),
      leases: memoryLeases(() => Date.now()),
    }
    const declarations = { discoveries: [treeOfStacks(target)] }
    const first = served(own, { repo, declarations, ...memory })
    await first.start()
    await first.until('stack:git', isSynced)
    repo.trouble = 'its host does not answer'
    first.refresh()
    const { outcome } = await first.sync('stack:git')
    assert.equal(outcome, 'succeeded')
    const [source] = first.sources()
    assert.equal(source?.state, 'failed')
    assert.equal(source.problem?.message, 'its host does not answer')
    await first.stop()
    const second = served(own, { repo, declarations, ...memory })
    await second.start()
    assert.equal(second.app('stack:git').state, 'synced')
    assert.equal((await containers('git')).length, 1)
  })

  await t.test('a repository that suddenly holds nothing removes nothing', async (own) => {
    const repo = repository()
    repo.commit({
      'a1/compose.yaml': stackText({ web: 'a' }),
      'a2/compose.yaml': stackText({ web: 'a' }),
    })
    const service = served(own, {
      repo,
      declarations: { discoveries: [treeOfStacks(target, { removesGone: true })] },
    })
    await service.start()
    await service.until('stack:a1', isSynced)
    await service.until('stack:a2', isSynced)
    repo.commit({ README: 'empty' })
    service.refresh()
    const status = await service.until('stack:a1', ({ state }) => state === 'missing')
    assert.match(
      status.reason,
      /left running: the source suddenly holds none of \d+ applications|not everything/,
    )
    assert.equal((await containers('a1')).length, 1)
  })
})
