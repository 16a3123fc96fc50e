/** What marks and early pushes tell a service that knows nothing yet. */
import assert from 'node:assert/strict'
import type { AppStatus } from '#model/service.ts'
import { engineIn } from '#cli/application/engine.ts'
import { stackOf, treeOfStacks } from '../testbed/serve.ts'
import { onDocker, stackText } from './service-bench.ts'

function isSynced({ state }: AppStatus): boolean {
  return state === 'synced'
}

onDocker(async ({ t, engine, target, repository, served, containers }) => {
  const instance = 'recalling'
  const three = {
    'lost-a/compose.yaml': stackText({ web: 'a' }),
    'lost-b/compose.yaml': stackText({ web: 'b' }),
    'lost-c/compose.yaml': stackText({ web: 'c' }),
  }

  await t.test(
    'US3, FR-005: one that went while the database was lost is known by its mark, and removed',
    async (own) => {
      const repo = repository()
      repo.commit(three)
      const found = { discoveries: [treeOfStacks(target, { removesGone: true })] }
      const byHand = { apps: [stackOf('lost-d', target)] }
      const first = served(own, { repo, declarations: found, instance })
      await first.start()
      for (const name of ['a', 'b', 'c']) await first.until(`stack:lost-${name}`, isSynced)
      await first.stop()
      const other = repository()
      other.commit({ 'lost-d/compose.yaml': stackText({ web: 'd' }) })
      const second = served(own, { repo: other, declarations: byHand, instance })
      await second.start()
      await second.until('stack:lost-d', isSynced)
      await second.stop()

      const { 'lost-c/compose.yaml': _gone, ...two } = three
      repo.commit(two)
      const later = served(own, { repo, declarations: found, instance })
      await later.start()
      const status = await later.until('stack:lost-c', ({ state }) => state === 'missing')
      assert.match(status.reason, /removed/)
      assert.deepEqual(await containers('lost-c'), [])
      assert.equal((await containers('lost-a')).length, 1)
      assert.equal((await containers('lost-d')).length, 1, 'it never came from this tree')
      assert.ok(!later.apps().some(({ key }) => key === 'stack:lost-d'))
    },
  )

  await t.test(
    'FR-005: two services of one name, whose discoveries are called alike, leave each other',
    async (own) => {
      const [one, other] = [repository(), repository()]
      one.commit({ 'one-a/compose.yaml': stackText({ web: 'a' }) })
      other.commit({ 'other-a/compose.yaml': stackText({ web: 'a' }) })
      const first = served(own, {
        repo: one,
        declarations: { discoveries: [treeFrom('one')] },
        instance: 'shared',
      })
      await first.start()
      await first.until('stack:one-a', isSynced)
      const second = served(own, {
        repo: other,
        declarations: { discoveries: [treeFrom('other')] },
        instance: 'shared',
      })
      await second.start()
      await second.until('stack:other-a', isSynced)
      assert.deepEqual(
        second.apps().map(({ key }) => key),
        ['stack:other-a'],
      )
      assert.equal((await containers('one-a')).length, 1)
    },
  )

  function treeFrom(name: string) {
    const url = `https://git.test/${name}`
    const where = { kind: 'git', url, ref: 'main' } as const
    const source = { ...where, credential: undefined, submodules: false }
    return treeOfStacks(target, { name: 'environment', source, removesGone: true })
  }

  await t.test('without prune what its mark tells of is shown as missing and left', async (own) => {
    const repo = repository()
    repo.commit({ 'lost-a/compose.yaml': three['lost-a/compose.yaml'] })
    const discoveries = [treeOfStacks(target)]
    const service = served(own, { repo, declarations: { discoveries }, instance })
    await service.start()
    const status = await service.until('stack:lost-b', ({ state }) => state === 'missing')
    assert.match(status.reason, /left running/)
    assert.equal((await containers('lost-b')).length, 1)
    // where removing is switched off nobody's word removes it, and going back is none
    assert.equal((await service.sync('stack:lost-b')).outcome, undefined)
    await assert.rejects(service.rollback('stack:lost-b', undefined), /no longer in its source/)
    assert.equal((await containers('lost-b')).length, 1)
  })

  await t.test('one that the very refresh of a sync forgets is not waited for', async (own) => {
    const repo = repository()
    const bad = { 'never/compose.yaml': 'services: [' }
    const good = { 'good/compose.yaml': stackText({ web: 'a' }) }
    repo.commit({ ...bad, ...good })
    const discoveries = [treeOfStacks(target, { removesGone: true })]
    const service = served(own, { repo, declarations: { discoveries } })
    await service.start()
    await service.until('stack:good', isSynced)
    assert.equal(service.app('stack:never').state, 'failed')
    repo.commit(good)
    await assert.rejects(service.sync('stack:never'), /there is no application/)
  })

  await t.test('what comes back while it is removed runs again, and can go again', async (own) => {
    const repo = repository()
    const stays = { 'stays/compose.yaml': stackText({ web: 'a' }) }
    const both = { ...stays, 'back/compose.yaml': stackText({ web: 'a' }) }
    const push = { urls: [], ref: undefined, revision: undefined }
    repo.commit(both)
    const discoveries = [treeOfStacks(target, { removesGone: true })]
    const service = served(own, { repo, declarations: { discoveries } })
    await service.start()
    for (const name of ['stays', 'back']) await service.until(`stack:${name}`, isSynced)
    let returns: Promise<unknown> | undefined
    service.listen((event) => {
      const isGoing = event.type === 'run' && event.event.type === 'planned'
      if (!isGoing || event.key !== 'stack:back' || returns !== undefined) return
      repo.commit(both)
      returns = service.pushed(push).done
    })
    repo.commit(stays)
    await service.pushed(push).done
    await returns
    const status = await service.until('stack:back', isSynced)
    assert.notEqual(status.synced, undefined)
    assert.equal((await containers('back')).length, 1)
    repo.commit(stays)
    await service.pushed(push).done
    await service.until('stack:back', ({ reason }) => reason.startsWith('removed'))
    assert.equal((await containers('back')).length, 0)
  })

  await t.test('another target: that what ran before is left where it is, is said', async (own) => {
    const repo = repository()
    repo.commit({ 'moved/compose.yaml': stackText({ web: 'a' }) })
    const app = stackOf('moved', target)
    const service = served(own, { repo, declarations: { apps: [app] } })
    await service.start()
    await service.until('stack:moved', isSynced)
    assert.doesNotMatch(service.lines.join('\n'), /run elsewhere/)
    const there = `unix://${engine.socket}`
    const apps = [{ ...app, target: there }]
    for (let times = 0; times < 2; times++) {
      await service.reload({ ...service.parts.declarations, apps })
    }
    const said = service.lines.filter((line) => line.includes('it is to run elsewhere'))
    assert.equal(said.length, 1)
    assert.ok(said[0]?.includes(target) && said[0].includes(there))
    assert.equal((await service.until('stack:moved', isSynced)).target, there)
  })

  await t.test(
    'what is declared is known before its source can be read, and why not',
    async (own) => {
      const repo = repository()
      repo.trouble = 'the line is dead'
      const apps = [stackOf('unread', target)]
      const service = served(own, { repo, declarations: { apps } })
      await service.start()
      const status = service.app('stack:unread')
      assert.equal(status.state, 'missing')
      assert.equal(status.reason, "its source can't be read: the line is dead")
      await service.reload({
        ...service.parts.declarations,
        apps: [...apps, stackOf('more', target)],
      })
      assert.equal(service.app('stack:more').state, 'missing')
      repo.trouble = undefined
      repo.commit({ 'unread/compose.yaml': stackText({ web: 'a' }) })
      service.refresh()
      await service.until('stack:unread', isSynced)
      const more = await service.until('stack:more', ({ state }) => state === 'failed')
      assert.match(more.reason, /there is no stack in more of /)
      await service.reload({ ...service.parts.declarations, apps })
      assert.ok(!service.apps().some(({ key }) => key === 'stack:more'))
    },
  )

  await t.test(
    'declarations that come while the service starts are the ones in force',
    async (own) => {
      const repo = repository()
      repo.commit({ 'late/compose.yaml': stackText({ web: 'a' }) })
      const service = served(own, { repo, declarations: { apps: [] } })
      const began = service.start()
      await service.reload({ ...service.parts.declarations, apps: [stackOf('late', target)] })
      await began
      await service.until('stack:late', isSynced)
      assert.equal((await containers('late')).length, 1)
    },
  )

  await t.test('a push that comes before everything was looked at is taken', async (own) => {
    const repo = repository()
    repo.commit({ 'early/compose.yaml': stackText({ web: 'a' }) })
    const service = served(own, { repo, declarations: { apps: [stackOf('early', target)] } })
    const began = service.start()
    while (service.sources().length === 0) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(service.isReady(), false)
    const push = { urls: [repo.shown], ref: 'refs/heads/main', revision: undefined }
    const { isFollowed, done } = service.pushed(push)
    assert.equal(isFollowed, true)
    assert.equal(service.pushed({ ...push, ref: 'refs/heads/other' }).isFollowed, false)
    await began
    await done
    await service.until('stack:early', isSynced)
    const record = await service.parts.store.application({
      kind: 'stack',
      namespace: null,
      name: 'early',
    })
    assert.equal(engineIn(record?.source)?.address, target)
    const [last] = await service.recentRuns(1)
    assert.equal(last?.key, 'stack:early')
  })
})
