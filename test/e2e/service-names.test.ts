/** Names: whose a name is when folders and declarations want the same one, and what is told but not touched. */
import assert from 'node:assert/strict'
import type { SourceDeclared } from '#model/declaration.ts'
import type { AppStatus, SyncAnswer } from '#model/service.ts'
import { stackOf, treeOfStacks, type Served } from '../testbed/serve.ts'
import { onDocker, stackText } from './service-bench.ts'

function isSynced({ state }: AppStatus): boolean {
  return state === 'synced'
}

onDocker(async ({ t, target, proxy, repository, served, ids, containers }) => {
  await t.test(
    'a folder never takes the name of what an operator declared, whichever is read first',
    async (own) => {
      const repo = repository()
      repo.commit({
        'own/compose.yaml': stackText({ web: 'declared' }),
        'mine/compose.yaml': stackText({ web: 'a folder of that name' }),
        'other/compose.yaml': stackText({ web: 'other' }),
      })
      const apps = [stackOf('mine', target, { path: 'own' })]
      const service = served(own, {
        repo,
        declarations: { apps, discoveries: [treeOfStacks(target, { removesGone: true })] },
      })
      await service.start()
      const mine = await service.until('stack:mine', isSynced)
      await service.until('stack:other', isSynced)
      assert.equal(mine.source.path, 'own')
      assert.match(service.lines.join('\n'), /stack:mine stands for several: own, mine/)
      const before = await ids('mine')

      repo.commit({
        'own/compose.yaml': stackText({ web: 'declared' }),
        'mine/compose.yaml': stackText({ web: 'a folder of that name' }),
        'mine/tend.yaml': 'target: unix:///other.sock\n',
        'other/compose.yaml': stackText({ web: 'other' }),
      })
      const answers = await pushed(service)
      assert.ok(answers.every(({ status }) => status.state === 'synced'))
      assert.equal(service.app('stack:mine').source.path, 'own')
      assert.deepEqual(await ids('mine'), before)
    },
  )

  await t.test(
    'what is found becomes declared, and is found again: it runs on as it is',
    async (own) => {
      const repo = repository()
      repo.commit({
        'moves/compose.yaml': stackText({ web: 'a' }),
        'stays/compose.yaml': stackText({ web: 'a' }),
      })
      const discoveries = [treeOfStacks(target, { removesGone: true })]
      const found = { discoveries }
      const service = served(own, { repo, declarations: found })
      const named = {
        ...service.parts.declarations,
        apps: [stackOf('moves', target, { policy: { prune: true } })],
      }
      await service.start()
      await service.until('stack:moves', isSynced)
      await service.until('stack:stays', isSynced)
      const before = await ids('moves')
      for (const declarations of [named, service.parts.declarations]) {
        await service.reload(declarations)
        const answers = await pushed(service)
        assert.ok(answers.every(({ status }) => status.state === 'synced'))
        assert.deepEqual(await ids('moves'), before)
      }
    },
  )

  await t.test(
    'what a nested tend.yaml makes unclear is failed with its place, neither applied nor removed',
    async (own) => {
      const repo = repository()
      const others = {
        'good/compose.yaml': stackText({ web: 'a' }),
        'fine/compose.yaml': stackText({ web: 'a' }),
      }
      repo.commit({ ...others, 'unclear/compose.yaml': stackText({ web: 'a' }) })
      const discoveries = [treeOfStacks(target, { removesGone: true })]
      const service = served(own, { repo, declarations: { discoveries } })
      await service.start()
      for (const name of ['good', 'fine', 'unclear']) await service.until(`stack:${name}`, isSynced)
      const before = await ids('unclear')
      repo.commit({
        ...others,
        'unclear/compose.yaml': stackText({ web: 'b' }),
        'unclear/tend.yaml': 'values: {}\nprune: true\n',
      })
      proxy.reset()
      await pushed(service)
      const status = service.app('stack:unclear')
      assert.equal(status.state, 'failed')
      assert.match(status.reason, /^unclear\/tend\.yaml:2:1: .*prune/)
      assert.equal((await service.sync('stack:unclear')).outcome, undefined)
      assert.deepEqual(proxy.writes(), [])
      assert.deepEqual(await ids('unclear'), before)
      repo.commit({ ...others, 'unclear/compose.yaml': stackText({ web: 'b' }) })
      await pushed(service)
      assert.equal(service.app('stack:unclear').state, 'synced')
      assert.notDeepEqual(await ids('unclear'), before)
    },
  )

  await t.test(
    'a path that leads nowhere is told with its place and takes nothing down; nor does a ref without the folder',
    async (own) => {
      const repo = repository()
      repo.commit({ 'there/compose.yaml': stackText({ web: 'a' }) })
      const at = { file: 'tend.yaml', line: 7, column: 5 }
      const app = stackOf('there', target, { at, policy: { prune: true } })
      const service = served(own, { repo, declarations: { apps: [app] } })
      await service.start()
      await service.until('stack:there', isSynced)
      const before = await ids('there')
      const elsewhere = { ...app.source, ref: 'other' }
      for (const wrong of [
        { ...app, path: 'thre' },
        { ...app, path: 'thre', source: elsewhere },
      ]) {
        await service.reload({ ...service.parts.declarations, apps: [wrong] })
        await pushed(service)
        const status = service.app('stack:there')
        assert.equal(status.state, 'failed')
        assert.match(status.reason, /^tend\.yaml:7:5: there is no stack in thre of /)
        assert.deepEqual(await ids('there'), before)
      }
      await service.reload({ ...service.parts.declarations, apps: [app] })
      await service.until('stack:there', isSynced)
      for (const files of [{ 'there/other.yaml': stackText({ web: 'a' }) }, {}]) {
        repo.commit(files)
        await pushed(service)
        assert.match(service.app('stack:there').reason, /there is no stack in there of /)
        assert.deepEqual(await ids('there'), before)
      }
      repo.commit({ README: 'the folder went' })
      await pushed(service)
      assert.match(service.app('stack:there').reason, /^removed/)
      assert.equal((await containers('there')).length, 0)
    },
  )

  await t.test(
    'a repository that suddenly holds none of what is declared takes nothing down, unless somebody asks for it',
    async (own) => {
      const repo = repository()
      const both = {
        'all-a/compose.yaml': stackText({ web: 'a' }),
        'all-b/compose.yaml': stackText({ web: 'b' }),
      }
      repo.commit(both)
      const apps = ['all-a', 'all-b'].map((name) =>
        stackOf(name, target, { policy: { prune: true } }),
      )
      const service = served(own, { repo, declarations: { apps } })
      await service.start()
      for (const name of ['all-a', 'all-b']) await service.until(`stack:${name}`, isSynced)
      repo.commit({ README: 'emptied' })
      await pushed(service)
      for (const name of ['all-a', 'all-b']) {
        const status = service.app(`stack:${name}`)
        assert.equal(status.state, 'missing')
        assert.match(status.reason, /left running: the source suddenly holds none of 2/)
        assert.equal((await containers(name)).length, 1)
      }
      assert.equal((await service.sync('stack:all-b')).outcome, 'succeeded')
      assert.equal((await containers('all-b')).length, 0)
      assert.equal((await containers('all-a')).length, 1)
      repo.commit(both)
      await pushed(service)
      for (const name of ['all-a', 'all-b']) await service.until(`stack:${name}`, isSynced)
    },
  )

  await t.test(
    'others in place of all: a wrong repository or a wrong tend.yaml takes nothing down',
    async (own) => {
      const repo = repository()
      const two = {
        'old-a/compose.yaml': stackText({ web: 'a' }),
        'old-b/compose.yaml': stackText({ web: 'b' }),
      }
      repo.commit(two)
      const found = served(own, {
        repo,
        declarations: { discoveries: [treeOfStacks(target, { removesGone: true })] },
      })
      await found.start()
      for (const name of ['old-a', 'old-b']) await found.until(`stack:${name}`, isSynced)
      repo.commit({ 'new-a/compose.yaml': stackText({ web: 'a' }) })
      await pushed(found)
      await found.until('stack:new-a', isSynced)
      for (const name of ['old-a', 'old-b']) {
        assert.match(found.app(`stack:${name}`).reason, /suddenly holds none of 2/)
        assert.equal((await containers(name)).length, 1)
      }
      await found.stop()
      repo.commit({ ...two, 'new-b/compose.yaml': stackText({ web: 'b' }) })

      const prune = { policy: { prune: true } }
      const apps = ['old-a', 'old-b'].map((name) => stackOf(name, target, prune))
      const named = served(own, { repo, declarations: { apps } })
      await named.start()
      for (const name of ['old-a', 'old-b']) await named.until(`stack:${name}`, isSynced)
      const others = [stackOf('new-b', target, prune)]
      await named.reload({ ...named.parts.declarations, apps: others })
      await named.until('stack:new-b', isSynced)
      for (const name of ['old-a', 'old-b']) {
        assert.match(named.app(`stack:${name}`).reason, /none of 2/)
        assert.equal((await containers(name)).length, 1)
      }
    },
  )

  await t.test(
    'a folder of another source does not stop what has its name, and gets it when that is gone for good',
    async (own) => {
      const [one, other] = [repository(), repository()]
      const stack = (text: string) => ({ 'twice/compose.yaml': stackText({ web: text }) })
      one.commit(stack('one'))
      other.commit({ README: 'nothing yet' })
      const discoveries = ['other', 'one'].map((name) => {
        const where = { kind: 'git', url: `https://git.test/${name}`, ref: 'main' } as const
        const source = { ...where, credential: undefined, submodules: false }
        return treeOfStacks(target, { name, source, removesGone: true })
      })
      const options = {
        repo: one,
        declarations: { discoveries },
        repository: (asked: SourceDeclared) =>
          asked.kind === 'git' && asked.url.endsWith('one') ? one : other,
      }
      const first = served(own, options)
      await first.start()
      await first.until('stack:twice', isSynced)
      const before = await ids('twice')
      other.commit(stack('other'))
      await pushed(first)
      assert.match(
        first.lines.join('\n'),
        /stack:twice stands for several: twice of one, twice of other; the first keeps the name \(give the discovery other a prefix/,
      )
      assert.equal(first.app('stack:twice').state, 'synced')
      assert.deepEqual(await ids('twice'), before)
      // it goes on as it did: the next commit of its own source is applied
      one.commit(stack('two'))
      await pushed(first)
      const changed = await ids('twice')
      assert.notDeepEqual(changed, before)

      // a lost database changes nothing: the containers tell whose they are
      await first.stop()
      const service = served(own, options)
      await service.start()
      await service.until('stack:twice', isSynced)
      assert.deepEqual(await ids('twice'), changed)

      // removed with its folder, it leaves its name to the other
      one.commit({ README: 'gone', 'else/compose.yaml': stackText({ web: 'a' }) })
      await pushed(service)
      await service.until('stack:twice', isSynced)
      assert.notDeepEqual(await ids('twice'), changed)
    },
  )

  await t.test(
    'where not everything could be read nothing counts as gone, and a sync by hand removes nothing',
    async (own) => {
      const repo = repository()
      const kept = { 'kept/compose.yaml': stackText({ web: 'a' }) }
      repo.commit({ ...kept, 'hidden/compose.yaml': stackText({ web: 'a' }) })
      const discoveries = [treeOfStacks(target, { removesGone: true })]
      const service = served(own, { repo, declarations: { discoveries } })
      await service.start()
      await service.until('stack:hidden', isSynced)
      await service.until('stack:kept', isSynced)
      repo.commit({ ...kept, 'chart/Chart.yaml': 'version: 1\n' })
      await pushed(service)
      const status = service.app('stack:hidden')
      assert.equal(status.state, 'failed')
      assert.match(status.reason, /^chart\/Chart\.yaml:1:1: .*does not say its name/)
      assert.equal((await service.sync('stack:hidden')).outcome, undefined)
      assert.equal((await containers('hidden')).length, 1)
      repo.commit(kept)
      await pushed(service)
      assert.equal(service.app('stack:hidden').state, 'missing')
      assert.equal((await containers('hidden')).length, 0)
    },
  )
})

async function pushed(service: Served): Promise<readonly SyncAnswer[]> {
  return service.pushed({ urls: [], ref: undefined, revision: undefined }).done
}
