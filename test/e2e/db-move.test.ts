/** `tend db migrate`, `export` and `import`: a service goes from SQLite to PostgreSQL and back, and knows all that it knew. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gitBench, type Bench } from '../testbed/git.ts'
import { requiredPostgres, startPostgres, type Postgres } from '../testbed/postgres.ts'
import { servingOn, type Serving } from '../testbed/serving.ts'
import { withFilesKind, type Product } from '../testbed/with-files-kind.ts'

describe('a database that moves', { skip: requiredPostgres() }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-move-'))
  const [out, back] = [join(folder, 'out.jsonl'), join(folder, 'back.jsonl')]
  let git: Bench
  let product: Product
  let postgres: Postgres
  let serving: Serving
  let shared: Readonly<Record<string, string>>
  let known = ''

  before(async () => {
    const key = join(folder, 'key')
    writeFileSync(key, randomBytes(32), { mode: 0o600 })
    git = gitBench()
    product = withFilesKind()
    postgres = await startPostgres()
    shared = { TEND_DATABASE: postgres.database() }
    serving = await servingOn({ TEND_KEY_FILE: key }, product.program)
    serving.declare(`
sources: { infra: { git: "file://${git.bare}", ref: main } }
defaults: { interval: 1s }
apps: [{ fileset: web, path: web, target: "${join(folder, 'kept')}" }]
`)
  })
  after(async () => {
    await serving?.remove()
    await postgres?.close()
    git?.remove()
    product?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  async function synced(revision: string): Promise<void> {
    await serving.until(
      'fileset:web',
      ({ state, synced: at }) => state === 'synced' && at?.revision === revision,
    )
  }

  async function history(): Promise<string> {
    const paths = ['/runs', '/runs/1', '/runs/2']
    const answers = paths.map(async (path) => {
      const answer = await serving.api(`/api/v1/apps/fileset:web${path}`)
      assert.equal(answer.status, 200, path)
      return answer.text()
    })
    return (await Promise.all(answers)).join('\n')
  }

  async function done(line: string, environment = {}): Promise<string> {
    const { code, out: said, err } = await serving.tend(line, environment)
    assert.equal(code, 0, `${line}: ${err}`)
    return said
  }

  let last = ''
  test('an export is refused while the service runs, and holds all after it', async () => {
    git.commit('one', { 'web/web.json': '1' })
    await serving.start()
    await synced(git.git('rev-parse', 'HEAD'))
    last = git.commit('two', { 'web/web.json': '2' })
    await synced(last)
    known = await history()
    const refused = await serving.tend(`db export ${out}`)
    assert.equal(refused.code, 1, refused.out)
    assert.match(refused.err, /a service uses .*tend\.db/)
    assert.equal(await serving.stop(), 0)
    assert.match(await done(`db export ${out}`), /1 applications.* 2 runs/)
    assert.equal(statSync(out).mode & 0o777, 0o600)
  })

  test('PostgreSQL takes it over once, and the service goes on with it', async () => {
    assert.match(await done('db migrate', shared), /is up to date \(schema \d+\)/)
    assert.match(await done(`db import ${out}`, shared), /1 applications.* 2 runs/)
    const again = await serving.tend(`db import ${out}`, shared)
    assert.notEqual(again.code, 0)
    const before = readdirSync(join(folder, 'kept')).length
    await serving.start([], shared)
    await synced(last)
    assert.equal(await history(), known)
    assert.equal(readdirSync(join(folder, 'kept')).length, before)
    assert.equal(await serving.stop(), 0)
  })

  test('and SQLite again, with what was done meanwhile', async () => {
    await serving.start([], shared)
    last = git.commit('three', { 'web/web.json': '3' })
    await synced(last)
    assert.equal(await serving.stop(), 0)
    assert.match(await done(`db backup ${back}`, shared), /3 runs/)
    for (const name of readdirSync(serving.home).filter((one) => one.startsWith('tend.db'))) {
      rmSync(join(serving.home, name))
    }
    assert.match(await done(`db import ${back}`), /1 applications.* 3 runs/)
    await serving.start()
    await synced(last)
    const runs: readonly unknown[] = JSON.parse(
      await (await serving.api('/api/v1/apps/fileset:web/runs')).text(),
    )
    assert.equal(runs.length, 3)
    for (const line of known.split('\n').slice(1)) assert.ok((await history()).includes(line))
  })
})
