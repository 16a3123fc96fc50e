/** What somebody saw the plan of is what runs, on a real Docker: or nothing does, and they are told. */
import assert from 'node:assert/strict'
import type { AppStatus, Expected } from '#model/service.ts'
import { stackOf } from '../testbed/serve.ts'
import { onDocker, stackText } from './service-bench.ts'

const never = new AbortController().signal
const meant = { empty: false, massDelete: false }

function isSynced({ state }: AppStatus): boolean {
  return state === 'synced'
}

onDocker(async ({ t, target, repository, served, ids }) => {
  await t.test(
    'a plan of what the source has now changes nothing, and is run as it was seen',
    async (own) => {
      const repo = repository()
      const first = repo.commit({ 'seen/compose.yaml': stackText({ web: 'hello' }) })
      const service = served(own, { repo, declarations: { apps: [stackOf('seen', target)] } })
      await service.start()
      await service.until('stack:seen', isSynced)
      const second = repo.commit({ 'seen/compose.yaml': stackText({ web: 'hello', db: 'x' }) })

      const old = await service.planned('stack:seen', {}, never)
      assert.deepEqual([old.of?.revision, old.plan.groups.length], [first, 0])
      const newest = (await service.newest(['stack:seen'], never)).get('stack:seen')
      assert.equal(newest?.snapshot?.revision, second)
      const { plan, of } = await service.planned('stack:seen', { newest: newest.snapshot }, never)
      assert.equal(of?.revision, second)
      assert.deepEqual(
        plan.groups.map(({ ref, step }) => `${step} ${ref}`),
        ['create container/db-1'],
      )
      assert.equal(service.app('stack:seen').desired?.revision, first, 'nothing was taken over')
      assert.equal((await service.runs('stack:seen')).length, 1, 'nobody runs because of a look')

      let begun = 0
      const { outcome } = await service.sync(
        'stack:seen',
        { ...meant, expected: of },
        () => (begun += 1),
      )
      assert.deepEqual([outcome, begun], ['succeeded', 1])
      assert.deepEqual(Object.keys(await ids('seen')).toSorted(), ['db', 'web'])
      const [run] = await service.runs('stack:seen')
      assert.deepEqual([run?.trigger, run?.revision], ['manual', second])
      assert.equal(service.app('stack:seen').synced?.hash, of.hash)

      // who is refused has not had the newer commit read, which would be applied by itself
      repo.commit({ 'seen/compose.yaml': stackText({ web: 'third' }) })
      await assert.rejects(service.sync('stack:seen', { ...meant, expected: of }), {
        code: 'conflict',
      })
      assert.equal(service.sources()[0]?.revision, second)
      assert.equal((await service.runs('stack:seen')).length, 2)
    },
  )

  await t.test('where the source has moved on nothing is run in its place', async (own) => {
    const repo = repository()
    repo.commit({ 'moved/compose.yaml': stackText({ web: 'hello' }) })
    const flagged = { policy: { drift: 'flag', flagsEverything: true } } as const
    const service = served(own, {
      repo,
      declarations: { apps: [stackOf('moved', target, flagged)] },
    })
    await service.start()
    const seen = (await service.planned('stack:moved', {}, never)).of
    assert.ok(seen)
    await service.sync('stack:moved', { ...meant, expected: seen })
    const next = repo.commit({ 'moved/compose.yaml': stackText({ web: 'hello', db: 'x' }) })
    const runs = (await service.runs('stack:moved')).length
    await assert.rejects(service.sync('stack:moved', { ...meant, expected: seen }), {
      code: 'conflict',
      message: new RegExp(
        `has ${next.slice(0, 12)} now, and the plan is of ${seen.revision.slice(0, 12)}`,
      ),
    })
    assert.equal((await service.runs('stack:moved')).length, runs)
    assert.deepEqual(Object.keys(await ids('moved')), ['web'])
    // whoever names nothing has what is there now
    await service.sync('stack:moved', meant)
    assert.deepEqual(Object.keys(await ids('moved')).toSorted(), ['db', 'web'])
    // what the source lost is not removed by who saw another plan
    repo.commit({ 'other/compose.yaml': stackText({ web: 'hello' }) })
    const last = { revision: service.app('stack:moved').desired?.revision ?? '', hash: seen.hash }
    await assert.rejects(service.sync('stack:moved', { ...meant, expected: last }), {
      code: 'conflict',
    })
    assert.deepEqual(Object.keys(await ids('moved')).toSorted(), ['db', 'web'])
  })

  await t.test(
    'the same revision with other values is something else, and each asker has an answer of their own',
    async (own) => {
      const repo = repository()
      repo.commit({ 'late/compose.yaml': stackText({ web: 'hello' }) })
      const service = served(own, { repo, declarations: { apps: [stackOf('late', target)] } })
      await service.start()
      await service.until('stack:late', isSynced)
      const seen = (await service.planned('stack:late', {}, never)).of
      assert.ok(seen)
      const before = (await service.runs('stack:late')).length
      const other: Expected = { ...seen, hash: 'of other values' }
      await assert.rejects(service.sync('stack:late', { ...meant, expected: other }), {
        code: 'conflict',
        message: /declared otherwise than when its plan was made/,
      })
      assert.equal((await service.runs('stack:late')).length, before)
      const { state, lastRun } = service.app('stack:late')
      assert.deepEqual([state, lastRun?.outcome], ['synced', 'succeeded'], 'it is as it was')
      // two who expect different things, and one who expects nothing: each has their own answer
      const [good, bad, plain] = await Promise.allSettled([
        service.sync('stack:late', { ...meant, expected: seen }),
        service.sync('stack:late', { ...meant, expected: other }),
        service.sync('stack:late', meant),
      ])
      assert.deepEqual(
        [good.status, bad.status, plain.status],
        ['fulfilled', 'rejected', 'fulfilled'],
      )
    },
  )

  await t.test(
    'a source that can not be reached is told, and what was read last is planned',
    async (own) => {
      const repo = repository()
      const first = repo.commit({ 'away/compose.yaml': stackText({ web: 'hello' }) })
      const service = served(own, { repo, declarations: { apps: [stackOf('away', target)] } })
      await service.start()
      await service.until('stack:away', isSynced)
      repo.trouble = 'the wire is cut'
      const newest = (await service.newest(['stack:away'], never)).get('stack:away')
      assert.equal(newest?.snapshot, undefined)
      assert.equal(newest?.unread?.message, 'the wire is cut')
      assert.match(newest.unread.details?.join(' ') ?? '', /last good snapshot.* is kept/)
      const { of } = await service.planned('stack:away', { newest: newest.snapshot }, never)
      assert.equal(of?.revision, first)
      const { outcome, unread } = await service.sync('stack:away', { ...meant, expected: of })
      assert.deepEqual([outcome, unread?.message], ['succeeded', 'the wire is cut'])
    },
  )
})
