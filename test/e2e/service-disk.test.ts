/** The disk of Tend's home is full: what runs runs on, that is said, and all goes on when there is room again. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { AppStatus } from '#model/service.ts'
import { bindFilesIn } from '#sources/bind-files.ts'
import { openStore } from '#store/open.ts'
import { stackOf } from '../testbed/serve.ts'
import { onDocker, stackText } from './service-bench.ts'

function isSynced({ state }: AppStatus): boolean {
  return state === 'synced'
}

function syncedTo(message: string): (status: AppStatus) => boolean {
  return ({ state, synced }) => state === 'synced' && synced?.message === message
}

/** Until not one byte more goes in. */
function fill(file: string): void {
  const descriptor = openSync(file, 'a')
  try {
    for (const size of [65_536, 4_096, 512, 1]) {
      const part = Buffer.alloc(size)
      try {
        for (;;) writeSync(descriptor, part)
      } catch (thrown) {
        assert.match(String(thrown), /ENOSPC/)
      }
    }
  } finally {
    closeSync(descriptor)
  }
}

onDocker(async ({ t, engine, target, repository, served, ids, containers }) => {
  const home = mkdtempSync(join(engine.root, 'small-'))
  const words = ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', home]
  const isMounted = spawnSync('mount', words).status === 0

  await t.test(
    'a full disk: what runs runs on, a failure says why, and with room again it is well',
    { skip: isMounted ? false : 'no file system can be mounted here' },
    async (own) => {
      // containers may still hold files of it
      own.after(() => spawnSync('umount', ['--lazy', home]))
      const repo = repository()
      const bound = '    volumes: ["./page:/page:ro"]\n'
      const files = (greeting: string) => ({
        'full/compose.yaml': stackText({ web: greeting }, bound),
        'full/page/index.html': `${greeting}\n`.repeat(1_000),
      })
      repo.commit(files('one'), 'one')
      const opened = await openStore({ home })
      own.after(() => opened.store.close())
      const { store, notes, leases, key } = opened
      mkdirSync(join(home, 'files'))
      const service = served(own, {
        repo,
        declarations: { apps: [stackOf('full', target)] },
        bindFiles: bindFilesIn(join(home, 'files')),
        store,
        notes,
        leases,
        key,
      })
      await service.start()
      await service.until('stack:full', isSynced)
      const before = await ids('full')
      fill(join(home, 'ballast'))

      repo.commit(files('two'), 'two')
      service.refresh()
      const failed = await service.until('stack:full', ({ state }) => state === 'failed')
      assert.match(failed.reason, /full|space/i)
      assert.equal(failed.synced?.message, 'one')
      assert.deepEqual(await ids('full'), before)
      assert.equal((await containers('full'))[0]?.state, 'running')

      // it counts, and it is said that it is not written down
      await assert.rejects(
        service.suspend('stack:full'),
        /suspended for now.*a restart forgets that/,
      )
      assert.equal(service.app('stack:full').state, 'suspended')
      await assert.rejects(service.resume('stack:full'), /resumed for now/)
      await assert.rejects(service.suspend('stack:full'), /suspended for now/)

      rmSync(join(home, 'ballast'))
      assert.equal((await service.suspend('stack:full')).state, 'suspended')
      const kept = (await notes.read('service.app')).get('stack:full')
      assert.match(JSON.stringify(kept), /"suspended":true/)
      await service.resume('stack:full')
      const { outcome } = await service.sync('stack:full')
      assert.equal(outcome, 'succeeded')
      const well = await service.until('stack:full', syncedTo('two'))
      assert.equal(well.failures, 0)
      await service.stop()
      await store.close()
      const again = await openStore({ home })
      own.after(() => again.store.close())
      assert.deepEqual(again.warnings, [])
    },
  )
})
