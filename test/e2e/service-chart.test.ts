/** A chart on Podman and a stack on the same Podman, out of one real Git repository, with one question to it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { podmanAt, type Podman } from '#clients/podman/client.ts'
import { listContainers, stopContainer } from '#clients/podman/containers.ts'
import { loadKinds } from '#kinds/all.ts'
import { allowAll } from '#model/policy.ts'
import type { AppStatus } from '#model/service.ts'
import { gitRepository } from '#sources/git/repository.ts'
import { memoryLeases, memoryNotes, memoryStore } from '#store/memory.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { serve, treeOfStacks } from '../testbed/serve.ts'
import { stackText } from './service-bench.ts'

const skip = required('podman')
const never = new AbortController().signal

function isSynced({ state }: AppStatus): boolean {
  return state === 'synced'
}

function chart(greeting: string): Readonly<Record<string, string>> {
  return {
    'site/Chart.yaml': 'name: site\nversion: 1.0.0\n',
    'site/values.yaml': `greeting: ${greeting}\n`,
    'site/templates/web.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: web }
spec:
  image: ${busybox}
  command: [sleep, "1000"]
  env: [{ name: GREETING, value: "{{ .Values.greeting }}" }, { name: TIME, value: "{{ now | unixEpoch }}" }]
`,
  }
}

test('charts and stacks of one repository', { skip }, async (t) => {
  let engine: TestPodman
  let podman: Podman
  before(async () => {
    engine = await startPodman()
    await addImage(engine.socket)
    podman = podmanAt(`unix://${engine.socket}`)
  })
  after(async () => {
    podman.close()
    await engine.stop()
  })

  await t.test(
    'both run as committed; a commit, a stop by hand and a lost database',
    async (own) => {
      const folder = mkdtempSync(join(engine.root, 'service-'))
      const work = join(folder, 'work')
      mkdirSync(work)
      const git = (...words: readonly string[]): string =>
        execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@test', ...words], {
          cwd: work,
          encoding: 'utf8',
        }).trim()
      function commit(files: Readonly<Record<string, string>>, message: string): string {
        for (const [name, text] of Object.entries(files)) {
          mkdirSync(dirname(join(work, name)), { recursive: true })
          writeFileSync(join(work, name), text)
        }
        git('add', '-A')
        git('commit', '-qm', message)
        return git('rev-parse', 'HEAD')
      }
      git('init', '-qb', 'main')
      commit({ ...chart('hello'), 'shop/compose.yaml': stackText({ web: 'a' }) }, 'first')
      const environment = process.env
      const options = { url: work, credential: undefined, submodules: false, environment }
      const repo = gitRepository({ ...options, cache: join(folder, 'cache') })
      const discovery = treeOfStacks(`unix://${engine.socket}`, { policy: { security: allowAll } })
      const memory = (): object => ({
        store: memoryStore(),
        notes: memoryNotes(),
        leases: memoryLeases(() => Date.now()),
      })
      const kinds = await loadKinds()
      const start = () =>
        serve({
          repo,
          folder,
          kinds,
          declarations: { discoveries: [discovery] },
          ...memory(),
        })
      const service = start()
      own.after(() => service.stop())
      await service.start()
      await service.until('chart:site', isSynced)
      await service.until('stack:shop', isSynced)
      const ids = async (): Promise<Readonly<Record<string, string>>> =>
        Object.fromEntries((await listContainers(podman, never)).map(({ name, id }) => [name, id]))
      const before = await ids()
      assert.equal(Object.keys(before).length, 2)

      const revision = commit(chart('good day'), 'second')
      const { done } = service.pushed({ urls: [], ref: 'refs/heads/main', revision })
      await done
      const status = service.app('chart:site')
      assert.equal(status.synced?.revision, revision)
      assert.equal(status.synced.message, 'second')
      assert.equal(status.source.file, 'Chart.yaml')
      const after = await ids()
      assert.equal(after['shop-web-1'], before['shop-web-1'])

      const [shown] = await service.containers('chart:site', never)
      assert.equal(shown?.state, 'running')
      await stopContainer(podman, shown.name, 0, never)
      await service.until(
        'chart:site',
        ({ state, lastRun }) => state === 'synced' && lastRun?.trigger === 'drift',
      )
      const repaired = await ids()
      await service.stop()

      const second = start()
      own.after(() => second.stop())
      await second.start()
      await second.until('chart:site', isSynced)
      await second.until('stack:shop', isSynced)
      assert.deepEqual(await ids(), repaired)
    },
  )
})
