/** The requirement's stories and numbered demands, on a real Docker. */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { removeMarker } from '#domains/stacks/marker.ts'
import type { AppStatus } from '#model/service.ts'
import { memoryLeases, memoryNotes, memoryStore } from '#store/memory.ts'
import { stackOf, treeOfStacks } from '../testbed/serve.ts'
import { onDocker, stackText } from './service-bench.ts'

const never = new AbortController().signal

function isSynced({ state }: AppStatus): boolean {
  return state === 'synced'
}

onDocker(async ({ t, target, docker, proxy, repository, served, ids, containers }) => {
  await t.test(
    'US1.1 FR-001 FR-002 FR-003 FR-009 FR-020: what differs is brought to what is declared',
    async (own) => {
      const repo = repository()
      const revision = repo.commit(
        { 'first/compose.yaml': stackText({ web: 'hello' }) },
        'the first',
      )
      const service = served(own, { repo, declarations: { apps: [stackOf('first', target)] } })
      const states: string[] = []
      service.listen((event) => {
        if (event.type === 'app') states.push(event.status.state)
      })
      await service.start()
      const status = await service.until('stack:first', isSynced)
      assert.deepEqual([...new Set(states)], ['syncing', 'synced'])
      assert.equal(status.reason, '')
      assert.equal(status.synced?.revision, revision)
      assert.equal(status.synced?.message, 'the first')
      assert.deepEqual(status.synced?.hash, status.desired?.hash)
      assert.deepEqual(status.containers, { running: 1, total: 1 })
      assert.equal(status.lastRun?.outcome, 'succeeded')
      assert.equal(Object.keys(await ids('first')).length, 1)
      assert.ok(
        service.lines.some((line) => line.includes('sync started') && line.includes('stack:first')),
      )
      assert.ok(
        service.lines.some(
          (line) => line.includes('sync succeeded') && line.includes('stack:first'),
        ),
      )
      const shown = await service.containers('stack:first', never)
      assert.deepEqual(
        shown.map(({ service: name, state }) => [name, state]),
        [['web', 'running']],
      )

      const before = await ids('first')
      repo.commit({ 'first/compose.yaml': stackText({ web: 'hello', db: 'x' }) }, 'a database')
      service.refresh()
      await service.until(
        'stack:first',
        ({ state, containers: { total } }) => state === 'synced' && total === 2,
      )
      const after = await ids('first')
      assert.equal(after['web'], before['web'])
    },
  )

  await t.test(
    'a sync that finds a new commit is one run, and it is the one that was asked for',
    async (own) => {
      const memory = repository()
      let tidy = async (): Promise<void> => undefined
      const repo = { ...memory, keepOnly: () => tidy() }
      memory.commit({ 'asked/compose.yaml': stackText({ web: 'hello' }) })
      const service = served(own, { repo, declarations: { apps: [stackOf('asked', target)] } })
      await service.start()
      await service.until('stack:asked', isSynced)
      const said = memory.commit({ 'asked/compose.yaml': stackText({ web: 'bye' }) }, 'say bye')
      // the source is still busy when it is known already what the commit wants
      tidy = async () => {
        await service.until('stack:asked', ({ state }) => state !== 'synced')
      }
      const by = 'token anna'
      await service.sync('stack:asked', { empty: false, massDelete: false, by })
      const [last, ...before] = await service.runs('stack:asked')
      assert.deepEqual([last?.trigger, last?.version, before.length], ['manual', said, 1])
      tidy = async () => undefined
      const wrong = memory.commit({ 'asked/compose.yaml': 'services: { web: { imag: x } }\n' })
      await service.sync('stack:asked', { empty: false, massDelete: false, by })
      const [refused] = await service.runs('stack:asked')
      const { outcome, trigger, version, by: who } = refused ?? {}
      assert.deepEqual([outcome, trigger, version, who], ['refused', 'manual', wrong, by])
    },
  )

  await t.test('what a sync finds for others of its source: their runs say who', async (own) => {
    const repo = repository()
    const text = (word: string) => stackText({ web: word })
    repo.commit({ 'own/compose.yaml': text('a'), 'other/compose.yaml': text('a') })
    const apps = [stackOf('own', target), stackOf('other', target)]
    const service = served(own, { repo, declarations: { apps } })
    await service.start()
    for (const { key } of service.apps()) await service.until(key, isSynced)
    const said = repo.commit({ 'other/compose.yaml': text('b') })
    await service.sync('stack:own', { empty: false, massDelete: false, by: 'anna' })
    await service.until('stack:other', ({ synced }) => synced?.revision === said)
    const [last] = await service.runs('stack:other')
    assert.deepEqual([last?.trigger, last?.by], ['refresh', 'anna'])
  })

  await t.test(
    'US1.2 FR-010 FR-017 SC-004: what matches is not touched, by a refresh or a sync',
    async (own) => {
      const repo = repository()
      repo.commit({ 'same/compose.yaml': stackText({ web: 'hello' }) })
      const service = served(own, { repo, declarations: { apps: [stackOf('same', target)] } })
      await service.start()
      await service.until('stack:same', isSynced)
      const before = await ids('same')
      proxy.reset()
      // a commit that touches nothing of it
      repo.commit({ 'same/compose.yaml': stackText({ web: 'hello' }), README: 'more' })
      service.refresh()
      await service.until(
        'stack:same',
        ({ desired }) => desired?.message === 'a change' && repo.asked.snapshot === 2,
      )
      const { outcome, status } = await service.sync('stack:same')
      assert.equal(outcome, 'succeeded')
      assert.equal(status.state, 'synced')
      assert.deepEqual(proxy.writes(), [])
      assert.deepEqual(await ids('same'), before)
      assert.equal((await service.runs('stack:same')).length >= 1, true)
    },
  )

  await t.test(
    'US2.1 FR-006 FR-013 FR-021 SC-003: after a restart everything is known, with a database and without',
    async (own) => {
      const repo = repository()
      const revision = repo.commit({ 'known/compose.yaml': stackText({ web: 'hello' }) })
      const declarations = { apps: [stackOf('known', target)] }
      const memory = {
        store: memoryStore(),
        notes: memoryNotes(),
        leases: memoryLeases(() => Date.now()),
      }
      const first = served(own, { repo, declarations, ...memory })
      await first.start()
      const before = await first.until('stack:known', isSynced)
      await first.stop()
      proxy.reset()
      const second = served(own, { repo, declarations, ...memory })
      await second.start()
      const after = second.app('stack:known')
      assert.equal(after.state, 'synced')
      assert.deepEqual(after.synced, before.synced)
      assert.deepEqual(after.lastRun, before.lastRun)
      await second.stop()

      const third = served(own, { repo, declarations })
      await third.start()
      const rebuilt = third.app('stack:known')
      assert.equal(rebuilt.state, 'synced')
      assert.equal(rebuilt.synced?.revision, revision)
      assert.equal(rebuilt.synced?.hash, before.synced?.hash)
      assert.equal(rebuilt.synced?.at, before.synced?.at)
      assert.deepEqual(proxy.writes(), [])
    },
  )

  await t.test(
    'US2.2 FR-011: without its record a stack is out of sync, and reconciled without being made anew',
    async (own) => {
      const repo = repository()
      repo.commit({ 'marked/compose.yaml': stackText({ web: 'hello' }) })
      const apps = [stackOf('marked', target)]
      const service = served(own, { repo, declarations: { apps }, instance: 'marking' })
      await service.start()
      const status = await service.until('stack:marked', isSynced)
      const before = await ids('marked')
      await removeMarker(docker, 'marking:stack:marked', never)
      await service.until(
        'stack:marked',
        ({ state, lastRun }) => state === 'synced' && lastRun?.at !== status.lastRun?.at,
      )
      assert.deepEqual(await ids('marked'), before)
      assert.equal(service.app('stack:marked').lastRun?.trigger, 'drift')
    },
  )

  await t.test(
    'US3.1 FR-005 FR-014 FR-016: what is gone from the source is removed only where that is switched on, and stays visible',
    async (own) => {
      const repo = repository()
      const files = {
        'keeps/compose.yaml': stackText({ web: 'a' }),
        'goes/compose.yaml': stackText({ web: 'b' }),
      }
      repo.commit(files)
      const other = repository()
      other.commit({ 'foreign/compose.yaml': stackText({ web: 'c' }) })
      const stranger = served(own, {
        repo: other,
        instance: 'other',
        declarations: { apps: [stackOf('foreign', target)] },
      })
      await stranger.start()
      await stranger.until('stack:foreign', isSynced)
      const discovery = treeOfStacks(target)
      const service = served(own, { repo, declarations: { discoveries: [discovery] } })
      await service.start()
      await service.until('stack:keeps', isSynced)
      await service.until('stack:goes', isSynced)

      repo.commit({ 'keeps/compose.yaml': files['keeps/compose.yaml'] })
      service.refresh()
      const left = await service.until('stack:goes', ({ state }) => state === 'missing')
      assert.match(left.reason, /left running: removing is not switched on/)
      assert.equal((await containers('goes')).length, 1)

      await service.reload({
        ...service.parts.declarations,
        discoveries: [{ ...discovery, removesGone: true }],
      })
      const states: string[] = []
      service.listen((event) => {
        if (event.type === 'app' && event.status.key === 'stack:goes')
          states.push(event.status.state)
      })
      await service.until('stack:goes', ({ reason }) => reason.startsWith('removed'))
      assert.ok(
        isDeepStrictEqual([...new Set(states)], ['deleting', 'missing']) ||
          states.includes('missing'),
      )
      assert.equal((await containers('goes')).length, 0)
      assert.equal((await containers('keeps')).length, 1)
      assert.equal((await containers('foreign')).length, 1)
      assert.equal(service.apps().length, 2)
    },
  )

  await t.test(
    'an entry that is declared no more: its stack goes, and that is told',
    async (own) => {
      const repo = repository()
      repo.commit({
        'stays/compose.yaml': stackText({ web: 'a' }),
        'leaves/compose.yaml': stackText({ web: 'a' }),
      })
      const stays = stackOf('stays', target)
      const service = served(own, {
        repo,
        declarations: { apps: [stays, stackOf('leaves', target, { policy: { prune: true } })] },
      })
      await service.start()
      await service.until('stack:stays', isSynced)
      await service.until('stack:leaves', isSynced)
      await service.reload({ ...service.parts.declarations, apps: [stays] })
      const gone = await service.until('stack:leaves', ({ reason }) => reason.startsWith('removed'))
      assert.equal(gone.lastRun?.trigger, 'refresh')
      assert.equal((await containers('leaves')).length, 0)
      assert.equal((await containers('stays')).length, 1)
      assert.match(service.lines.join('\n'), /no longer declared.*stack:leaves/)
    },
  )

  await t.test('FR-015: one stack at a time, unless more are allowed', async (own) => {
    const repo = repository()
    const names = ['one', 'two', 'three']
    repo.commit(
      Object.fromEntries(names.map((name) => [`${name}/compose.yaml`, stackText({ web: name })])),
    )
    const service = served(own, { repo, declarations: { discoveries: [treeOfStacks(target)] } })
    let most = 0
    service.listen(() => {
      most = Math.max(most, service.apps().filter(({ state }) => state === 'syncing').length)
    })
    await service.start()
    for (const name of names) await service.until(`stack:${name}`, isSynced)
    assert.equal(most, 1)
  })

  await t.test(
    'FR-008 FR-012: switched off, what is wanted is known and nothing is touched',
    async (own) => {
      const repo = repository()
      const revision = repo.commit({ 'off/compose.yaml': stackText({ web: 'a' }) })
      const service = served(own, {
        repo,
        declarations: { apps: [stackOf('off', target)], isEnabled: false },
      })
      proxy.reset()
      await service.start()
      const status = service.app('stack:off')
      assert.equal(status.state, 'missing')
      assert.equal(status.desired?.revision, revision)
      assert.match(status.reason, /switched off/)
      assert.deepEqual(proxy.writes(), [])
    },
  )
})
