/** Restart, kill, stop, a lost database, a clock that is set, a newer commit in between: nothing that matters is lost. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Clock } from '#model/clock.ts'
import type { AppStatus } from '#model/service.ts'
import { openStore } from '#store/open.ts'
import { systemClock } from '../testbed/drive.ts'
import { serve, stackOf } from '../testbed/serve.ts'
import { onDocker, stackText } from './service-bench.ts'

function isSynced({ state }: AppStatus): boolean {
  return state === 'synced'
}

onDocker(async ({ t, engine, target, proxy, repository, served, ids, containers }) => {
  const home = (): string => mkdtempSync(join(engine.root, 'home-'))

  await t.test('killed in the middle of a run: the next start ends what was begun', async (own) => {
    const folder = home()
    const repo = repository()
    repo.commit({ 'kill/compose.yaml': stackText({ web: 'b', db: 'b' }) }, 'b')
    const script = join(import.meta.dirname, '../testbed/serve-process.ts')
    for (const [greeting, sign] of [
      ['a', 'sync succeeded'],
      ['b', 'sync started'],
    ] as const) {
      const child = spawn(process.execPath, [script, folder, engine.socket, 'kill', greeting], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      for await (const line of createInterface(child.stdout)) if (line === sign) break
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    const opened = await openStore({ home: folder })
    const { store, notes, leases, key } = opened
    own.after(() => store.close())
    const declarations = { apps: [stackOf('kill', target, { policy: { drift: 'ignore' } })] }
    const service = served(own, {
      repo,
      declarations,
      store,
      notes,
      leases,
      key,
      instance: 'test',
    })
    await service.start()
    const status = await service.until('stack:kill', isSynced)
    assert.equal(status.synced?.message, 'b')
    const now = await containers('kill')
    assert.deepEqual(now.map(({ name, state }) => `${name} ${state}`).toSorted(), [
      'kill-db-1 running',
      'kill-web-1 running',
    ])
  })

  await t.test(
    'a database that was deleted or spoilt loses history and nothing else',
    async (own) => {
      const folder = home()
      const repo = repository()
      repo.commit({ 'db/compose.yaml': stackText({ web: 'a' }) }, 'a')
      const declarations = { apps: [stackOf('db', target)] }
      async function startAndStop(): Promise<AppStatus> {
        const { store, notes, leases, key } = await openStore({ home: folder })
        const service = serve({ repo, folder, declarations, store, notes, leases, key })
        await service.start()
        const status = await service.until('stack:db', isSynced)
        await service.stop()
        await store.close()
        return status
      }
      const before = await startAndStop()
      const container = await ids('db')
      proxy.reset()
      for (const suffix of ['', '-wal', '-shm'])
        rmSync(join(folder, `tend.db${suffix}`), { force: true })
      assert.deepEqual((await startAndStop()).synced, before.synced)
      writeFileSync(
        join(folder, 'tend.db'),
        'no database at all, but long enough to look at'.repeat(100),
      )
      for (const suffix of ['-wal', '-shm'])
        rmSync(join(folder, `tend.db${suffix}`), { force: true })
      assert.deepEqual((await startAndStop()).synced, before.synced)
      assert.deepEqual(await ids('db'), container)
      assert.deepEqual(proxy.writes(), [])
      own.diagnostic('nothing was written to the engine')
    },
  )

  await t.test(
    'stopped: calls under way end, nothing more is begun, and the next start goes on',
    async (own) => {
      const repo = repository()
      repo.commit({ 'stop/compose.yaml': stackText({ web: 'a', db: 'b', x: 'c' }) })
      const folder = home()
      const { store, notes, leases, key } = await openStore({ home: folder })
      own.after(() => store.close())
      const declarations = { apps: [stackOf('stop', target)] }
      const first = served(own, { repo, declarations, store, notes, leases, key })
      await first.start()
      await first.until('stack:stop', ({ state }) => state === 'syncing')
      await first.stop()
      const calls = proxy.writes().length
      assert.equal(proxy.writes().length, calls)
      const second = served(own, { repo, declarations, store, notes, leases, key })
      await second.start()
      const status = await second.until('stack:stop', isSynced)
      assert.deepEqual(status.containers, { running: 3, total: 3 })
    },
  )

  await t.test('FR-018: the newest snapshot is applied, those in between never', async (own) => {
    const repo = repository()
    const files = (greeting: string): Record<string, string> => ({
      'new/compose.yaml': stackText({ web: greeting }),
      'other/compose.yaml': stackText({ web: greeting }),
    })
    repo.commit(files('one'), 'one')
    const apps = [stackOf('new', target), stackOf('other', target)]
    const service = served(own, { repo, declarations: { apps } })
    const applied: string[] = []
    service.listen((event) => {
      if (event.type === 'app') applied.push(`${event.status.key} ${event.status.synced?.message}`)
    })
    await service.start()
    await service.until('stack:new', ({ state }) => state === 'syncing')
    for (const message of ['two', 'three']) {
      repo.commit(files(message), message)
      service.refresh()
      await service.until('stack:new', ({ desired }) => desired?.message === message)
    }
    for (const { application } of apps) {
      const key = `stack:${application.name}`
      await service.until(
        key,
        ({ state, synced }) => state === 'synced' && synced?.message === 'three',
      )
    }
    assert.ok(!applied.some((line) => line.endsWith(' two')), applied.join('\n'))
  })

  await t.test('a clock that is set makes nothing stall and nothing storm', async (own) => {
    const repo = repository()
    repo.commit({ 'time/compose.yaml': stackText({ web: 'a' }) })
    let shift = 0
    const clock: Clock = { ...systemClock, now: () => Date.now() + shift }
    const apps = [stackOf('time', target, { policy: { interval: 300 } })]
    const service = served(own, { repo, clock, declarations: { apps } })
    await service.start()
    await service.until('stack:time', isSynced)
    for (const jump of [-86_400_000, 86_400_000 * 2]) {
      shift += jump
      const before = repo.asked.latest
      const sources = new Promise<void>((resolve) => {
        const end = service.listen((event) => {
          if (event.type !== 'source' || repo.asked.latest < before + 3) return
          end()
          resolve()
        })
      })
      // whatever sleeps when the clock is set is woken as by anything that happens
      service.refresh()
      const began = performance.now()
      await sources
      const asked = repo.asked.latest - before
      const lasted = performance.now() - began
      assert.ok(asked <= 3 + lasted / 150, `${asked} in ${lasted} ms`)
    }
    assert.equal(service.app('stack:time').state, 'synced')
    assert.equal((await service.runs('stack:time')).length, 1)
  })

  await t.test(
    'a push that is waited for: who depends on another is waited for too',
    async (own) => {
      const repo = repository()
      const files = (text: string) => ({
        'base/compose.yaml': stackText({ web: text }),
        'over/compose.yaml': stackText({ web: text }),
      })
      repo.commit(files('a'), 'one')
      const over = stackOf('over', target, { policy: { dependsOn: ['stack:base'] } })
      const service = served(own, {
        repo,
        declarations: { apps: [over, stackOf('base', target)] },
      })
      const push = { urls: [], ref: undefined, revision: undefined }
      await service.start()
      await service.until('stack:over', ({ state }) => state === 'synced')
      const order: string[] = []
      service.listen((event) => {
        if (event.type === 'run' && event.event.type === 'started') order.push(event.key)
      })
      repo.commit(files('b'), 'two')
      const answers = await service.pushed(push).done
      assert.deepEqual(
        answers.map(({ status, outcome }) => [status.key, status.synced?.message, outcome]),
        [
          ['stack:over', 'two', 'succeeded'],
          ['stack:base', 'two', 'succeeded'],
        ],
      )
      assert.deepEqual(order, ['stack:base', 'stack:over'])
      repo.commit({ ...files('c'), 'base/compose.yaml': 'services: [' }, 'three')
      const stuck = await service.pushed(push).done
      assert.deepEqual(
        stuck.map(({ status }) => [status.key, status.state]),
        [
          ['stack:over', 'syncing'],
          ['stack:base', 'failed'],
        ],
      )
      // refused in a run, or before one could begin: whichever looked at the file first
      assert.ok(stuck.every(({ outcome }) => outcome === undefined || outcome === 'refused'))
      assert.match(service.app('stack:over').reason, /waits for stack:base/)
    },
  )

  await t.test(
    'a source that can not be asked is told to whoever asked for a sync or pushed',
    async (own) => {
      const repo = repository()
      repo.commit({ 'deaf/compose.yaml': stackText({ web: 'a' }) }, 'one')
      const service = served(own, { repo, declarations: { apps: [stackOf('deaf', target)] } })
      await service.start()
      await service.until('stack:deaf', ({ state }) => state === 'synced')
      repo.trouble = 'the line is dead'
      const [pushed] = await service.pushed({ urls: [], ref: undefined, revision: undefined }).done
      assert.equal(pushed?.unread?.message, 'the line is dead')
      const synced = await service.sync('stack:deaf')
      assert.equal(synced.unread?.message, 'the line is dead')
      assert.equal(synced.outcome, 'succeeded')
      repo.trouble = undefined
      assert.equal((await service.sync('stack:deaf')).unread, undefined)
    },
  )

  await t.test('a push: only what it touches runs, and whoever waits is told', async (own) => {
    const repo = repository()
    const files = {
      'p1/compose.yaml': stackText({ web: 'a' }),
      'p2/compose.yaml': stackText({ web: 'a' }),
    }
    repo.commit(files)
    const service = served(own, {
      repo,
      declarations: { apps: [stackOf('p1', target), stackOf('p2', target)] },
    })
    await service.start()
    await service.until('stack:p1', isSynced)
    await service.until('stack:p2', isSynced)
    const before = await ids('p2')
    repo.commit({ ...files, 'p1/compose.yaml': stackText({ web: 'b' }) }, 'pushed')
    const { keys, done } = service.pushed({
      urls: ['git@git.test:shop.git'],
      ref: 'refs/heads/main',
      revision: undefined,
    })
    assert.deepEqual(keys, ['stack:p1', 'stack:p2'])
    const answers = await done
    assert.deepEqual(
      answers.map(({ status, outcome }) => [status.key, status.state, outcome]),
      [
        ['stack:p1', 'synced', 'succeeded'],
        ['stack:p2', 'synced', undefined],
      ],
    )
    assert.equal(service.app('stack:p1').lastRun?.trigger, 'webhook')
    assert.deepEqual(await ids('p2'), before)
    assert.deepEqual(
      service.pushed({ urls: [], ref: 'refs/heads/other', revision: undefined }).keys,
      [],
    )
    const text = service.metrics.text()
    assert.match(text, /tend_runs_total\{kind="stack",trigger="webhook",outcome="succeeded"\} 1/)
    assert.match(text, /tend_apps\{state="synced"\} 2/)
    assert.match(text, /tend_git_calls_total\{operation="latest"\} 2/)
    assert.match(text, /tend_queue_length 0/)
  })
})
