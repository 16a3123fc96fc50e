/** Copies of bound files: those that nobody needs go, those that a container or a rollback needs stay. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '#model/clock.ts'
import { bindFilesIn } from '#sources/bind-files.ts'
import { busybox } from '../testbed/image.ts'
import { systemClock } from '../testbed/drive.ts'
import { stackOf } from '../testbed/serve.ts'
import { waitFor } from '../testbed/serving.ts'
import { onDocker, stackText } from './service-bench.ts'

const never = new AbortController().signal

onDocker(async ({ t, engine, target, docker, proxy, repository, served }) => {
  await t.test(
    'copies that no container and no recorded run needs are removed, never others',
    async (own) => {
      const files = mkdtempSync(join(engine.root, 'files-'))
      const repo = repository()
      const bound = '    volumes: ["./page:/page:ro", "./data:/data"]\n'
      let shift = 0
      const clock: Clock = { ...systemClock, now: () => Date.now() + shift }
      const service = served(own, {
        repo,
        clock,
        declarations: { apps: [stackOf('pages', target)] },
        bindFiles: bindFilesIn(files),
      })
      const commit = (page: string): string =>
        repo.commit({
          'pages/compose.yaml': stackText({ web: 'a' }, bound),
          'pages/page/index.html': page,
          'pages/data/first': 'a',
        })
      commit('one')
      await service.start()
      await service.until('stack:pages', ({ state }) => state === 'synced')
      commit('two')
      const { outcome } = await service.sync('stack:pages')
      assert.equal(outcome, 'succeeded')
      const needed = readdirSync(files).filter((name) => /^([0-9a-f]{16}|app-)/.test(name))
      assert.equal(needed.length, 3, needed.join(' '))
      function copy(name: string, isMarked: boolean): string {
        mkdirSync(join(files, name, 'page'), { recursive: true })
        if (isMarked) writeFileSync(join(files, name, '.placed'), '')
        return name
      }
      const orphan = copy('00000000000000aa', true)
      const stopped = copy('00000000000000bb', true)
      const strange = copy('00000000000000cc', false)
      const HostConfig = { Binds: [`${join(files, stopped, 'page')}:/page:ro`] }
      await docker.ask('POST', '/containers/create', {
        query: { name: 'somebody' },
        body: { Image: busybox, HostConfig },
        signal: never,
        doing: 'create',
      })
      const all = [...needed, orphan, stopped, strange]
      own.after(() => proxy.plan(() => 'pass'))

      // who can't be asked may need any of them
      shift += 2 * 3_600_000
      proxy.plan(({ path }) => (path.includes('/containers/json') ? 'refuse' : 'pass'))
      proxy.reset()
      service.refresh()
      await waitFor(() => proxy.calls().some(({ path }) => path.includes('/containers/json')))
      await service.pushed({ urls: [], ref: undefined, revision: undefined }).done
      assert.ok(all.every((name) => existsSync(join(files, name))))

      proxy.plan(() => 'pass')
      await service.until('stack:pages', ({ state }) => state === 'synced')
      shift += 2 * 3_600_000
      service.refresh()
      await waitFor(() => !existsSync(join(files, orphan)))
      for (const name of [...needed, stopped, strange]) {
        assert.ok(existsSync(join(files, name)), name)
      }
      const back = await service.rollback('stack:pages', undefined)
      assert.equal(back.outcome, 'succeeded')
    },
  )
})
