/** Replicas of an earlier version run on while the first of today's brings the tables up to date, and are replaced one after the other. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AppStatus } from '#model/service.ts'
import { numberIn } from '#store/database.ts'
import { schemaVersion } from '#store/migrations.ts'
import { openPostgres } from '#store/postgres.ts'
import { earlierProgram } from '../testbed/earlier-program.ts'
import { gitBench } from '../testbed/git.ts'
import { requiredPostgres, startPostgres } from '../testbed/postgres.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'
import { withFilesKind } from '../testbed/with-files-kind.ts'

/** The last one whose tables were others: one of all replicas did everything. */
const commit = 'a0500ff8'
const apps = ['a', 'b', 'c']

void test(
  'the tables are brought up to date while replicas of the version before run on',
  { skip: requiredPostgres() },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tend-upgrade-'))
    const [place, key] = [join(folder, 'kept'), join(folder, 'key')]
    writeFileSync(key, randomBytes(32), { mode: 0o600 })
    const earlier = earlierProgram(commit)
    const [old, today] = [withFilesKind(earlier.source), withFilesKind()]
    const git = gitBench()
    const postgres = await startPostgres()
    const address = postgres.database()
    const environment = { TEND_DATABASE: address, TEND_KEY_FILE: key }
    const all: Serving[] = []
    t.after(async () => {
      await Promise.all(all.map((each) => each.remove()))
      await postgres.close()
      git.remove()
      for (const one of [old, today, earlier]) one.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    async function begun(program: string): Promise<Serving> {
      const serving = await servingOn(environment, program)
      all.push(serving)
      serving.declare(`
sources: { infra: { git: "file://${git.bare}", ref: main } }
defaults: { interval: 1s }
apps:
${apps.map((app) => `  - { fileset: ${app}, path: ${app}, target: "${place}" }`).join('\n')}
`)
      // one that stands by never says that it serves; it answers nevertheless
      void serving.start().catch(() => undefined)
      await waitFor(() =>
        fetch(serving.url).then(
          () => true,
          () => false,
        ),
      )
      return serving
    }
    function declare(message: string): void {
      const files = apps.map((app) => [`${app}/${app}.txt`, message])
      git.commit(message, Object.fromEntries(files))
    }
    async function synced(message: string, ...by: readonly Serving[]): Promise<void> {
      for (const each of by) {
        await waitFor(async () => {
          const answer = await each.api('/api/v1/apps').catch(() => undefined)
          if (answer?.status !== 200) return false
          const found: readonly AppStatus[] = JSON.parse(await answer.text())
          const at = found.filter(({ state, synced: now }) => {
            return state === 'synced' && now?.message === message
          })
          return at.length === apps.length
        }).catch((thrown: unknown) => {
          throw new Error(`${message}: ${String(thrown)}\n${each.log()}`)
        })
      }
      for (const app of apps) {
        assert.equal(readFileSync(join(place, `${app}.txt`), 'utf8'), message)
      }
    }
    async function ask(sql: string, column: string): Promise<readonly number[]> {
      const database = await openPostgres(address)
      const rows = await database.rows(sql)
      await database.close()
      return rows.map((row) => numberIn(row, column))
    }
    const version = 'select version from tend_schema'

    declare('one')
    const [first, second] = [await begun(old.program), await begun(old.program)]
    await synced('one', first)
    const [before = 0] = await ask(version, 'version')
    assert.ok(before < schemaVersion, 'that version has the tables of today')

    const third = await begun(today.program)
    assert.deepEqual(await ask(version, 'version'), [schemaVersion])
    declare('two')
    await synced('two', first)
    // two of one version and one of the other
    assert.equal(await second.stop(), 0)
    const fourth = await begun(today.program)
    declare('three')
    await synced('three', first)
    assert.equal(await first.stop(), 0)
    declare('four')
    await synced('four', third, fourth)

    const runs = await ask('select count(*) as runs from runs group by application', 'runs')
    assert.deepEqual(runs, [4, 4, 4])
    const open = await ask('select count(*) as open from runs where outcome is null', 'open')
    assert.deepEqual(open, [0])
  },
)
