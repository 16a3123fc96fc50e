/** The engine sees Tend's files elsewhere, or not at all: contexts are read here, binds are named as the engine finds them. */
import assert from 'node:assert/strict'
import { mkdtempSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { bindFilesIn } from '#sources/bind-files.ts'
import { loadedStacks } from '#kinds/stacks/load.ts'
import type { LoadedKind } from '#model/application-kind.ts'
import { denyAll } from '#model/policy.ts'
import { busybox } from '../testbed/image.ts'
import { stackOf } from '../testbed/serve.ts'
import { onDocker, stackText } from './service-bench.ts'

const never = new AbortController().signal
const built = `services:
  web:
    build: ./image
    command: sleep 1000
    stop_grace_period: 0s
    volumes: ["./page:/page:ro"]
`

onDocker(async ({ t, engine, target, docker, repository, served, ids }) => {
  await t.test(
    "with hostFiles builds read Tend's own path and binds name the host's",
    async (own) => {
      const files = mkdtempSync(join(engine.root, 'own-'))
      const seenAs = `${files}-as-the-engine-sees-it`
      symlinkSync(files, seenAs)
      const repo = repository()
      repo.commit({
        'made/compose.yaml': built,
        'made/image/Dockerfile': `FROM ${busybox}\nCOPY word /word\n`,
        'made/image/word': 'hello',
        'made/page/index.html': 'page',
      })
      const service = served(own, {
        repo,
        declarations: {
          apps: [stackOf('made', target, { policy: { security: denyAll } })],
          hostFiles: seenAs,
        },
        bindFiles: bindFilesIn(files, seenAs),
      })
      await service.start()
      await service.until('stack:made', ({ state }) => state === 'synced')
      const { web } = await ids('made')
      const { body } = await docker.ask('GET', `/containers/${web}/json`, {
        signal: never,
        doing: 'inspect',
      })
      const text = JSON.stringify(body)
      assert.ok(text.includes(`${seenAs}/`), text)
      const plan = await service.events('stack:made', 1)
      assert.ok(JSON.stringify(plan).includes(`docker build`), JSON.stringify(plan))
      assert.ok(!new RegExp(`docker build [^"]*${seenAs}`).test(JSON.stringify(plan)))
    },
  )

  await t.test(
    'an engine of another machine: only who binds files of the repository is told so',
    async (own) => {
      const repo = repository()
      repo.commit({
        'plain/compose.yaml': stackText({ web: 'a' }),
        'binds/compose.yaml': stackText({ web: 'a' }, '    volumes: ["./page:/page:ro"]\n'),
        'binds/page/index.html': 'page',
        'builds/compose.yaml': built.replace(/ {4}volumes.*\n/, ''),
        'builds/image/Dockerfile': `FROM ${busybox}\n`,
      })
      const far: LoadedKind = {
        ...loadedStacks,
        connect: (...asked) => ({ ...loadedStacks.connect(...asked), sees: () => false }),
      }
      const apps = ['plain', 'binds', 'builds'].map((name) => stackOf(name, target))
      const service = served(own, { repo, kind: far, declarations: { apps } })
      await service.start()
      await service.until('stack:plain', ({ state }) => state === 'synced')
      await service.until('stack:builds', ({ state }) => state === 'synced')
      const { state, reason } = service.app('stack:binds')
      assert.equal(state, 'failed')
      assert.match(reason, /binds\/page is bound .*does not see the files.*hostFiles/)
    },
  )
})
