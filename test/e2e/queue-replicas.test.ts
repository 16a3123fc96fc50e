/** Runs that wait at two replicas for the one place that there is: a newer commit replaces the older one that waits, wherever it waits. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AppStatus } from '#model/service.ts'
import type { RunRecord } from '#model/store.ts'
import { gitBench } from '../testbed/git.ts'
import { requiredPostgres, startPostgres } from '../testbed/postgres.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'
import { withFilesKind } from '../testbed/with-files-kind.ts'

const apps = ['a', 'b', 'c', 'd', 'e', 'f']

void test(
  'a newer commit replaces an older one that waits, at whichever replica it waits',
  { skip: requiredPostgres() },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tend-queue-'))
    const [place, key] = [join(folder, 'kept'), join(folder, 'key')]
    writeFileSync(key, randomBytes(32), { mode: 0o600 })
    const [product, git, postgres] = [withFilesKind(), gitBench(), await startPostgres()]
    const both: Serving[] = []
    t.after(async () => {
      await Promise.all(both.map((each) => each.remove()))
      await postgres.close()
      git.remove()
      product.remove()
      rmSync(folder, { recursive: true, force: true })
    })
    const environment = {
      TEND_DATABASE: postgres.database(),
      TEND_KEY_FILE: key,
      // a run takes long enough that a commit comes while the others wait
      TEND_FILES_LATENCY: '700',
    }
    for (let count = 0; count < 2; count += 1) {
      const serving = await servingOn(environment, product.program)
      both.push(serving)
      serving.declare(`
concurrency: 1
sources: { infra: { git: "file://${git.bare}", ref: main } }
defaults: { interval: 1s }
apps:
${apps.map((app) => `  - { fileset: ${app}, path: ${app}, target: "${place}" }`).join('\n')}
`)
    }

    function commit(message: string): string {
      return git.commit(
        message,
        Object.fromEntries(apps.map((app) => [`${app}/${app}.txt`, message])),
      )
    }
    async function json<Answer>(path: string, from = both[0]): Promise<Answer> {
      const answer = await from!.api(path)
      assert.equal(answer.status, 200, path)
      return JSON.parse(await answer.text())
    }
    async function synced(message: string): Promise<void> {
      for (const each of both) {
        await waitFor(async () => {
          const all = await json<readonly AppStatus[]>('/api/v1/apps', each)
          const at = all.filter((one) => one.state === 'synced' && one.synced?.message === message)
          return at.length === apps.length
        }, 120_000)
      }
    }
    async function runsOf(app: string): Promise<readonly RunRecord[]> {
      return json(`/api/v1/apps/fileset:${app}/runs`)
    }
    async function numbers(): Promise<readonly number[]> {
      return Promise.all(apps.map(async (app) => (await runsOf(app)).length))
    }

    commit('first')
    for (const each of both) await each.start()
    await synced('first')
    // each has some of them
    for (const each of both) await waitFor(() => /looks after apps=[1-5]\b/.test(each.log()))

    const before = await numbers()
    const from = both.map((each) => each.log().length)
    commit('older')
    await waitFor(async () => (await numbers()).some((count, at) => count > before[at]!))
    const newer = commit('newer')
    await synced('newer')
    const waited = apps.filter((app) =>
      both.every((each, at) => {
        const [older = ''] = each.log().slice(from[at]).split(`revision=${newer}`)
        return !older.includes(`sync started app=fileset:${app} `)
      }),
    )
    assert.ok(waited.length > 1, 'all had begun before the newer one came')
    for (const app of waited) {
      const runs = (await runsOf(app)).slice(0, -before[apps.indexOf(app)]!)
      assert.deepEqual(
        runs.map(({ revision, outcome }) => `${revision} ${outcome}`),
        [`${newer} succeeded`],
        app,
      )
    }
    const begun = both.map(
      (each, at) => each.log().slice(from[at]).split('sync started').length - 1,
    )
    assert.ok(
      begun.every((count) => count > 0),
      `one of them did all: ${begun.join()}`,
    )
  },
)
