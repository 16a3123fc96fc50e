/** Every request to a Git server fails in every way: what is read is a whole commit or nothing, and the next try gets it. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Problem } from '#model/problem.ts'
import type { Repository } from '#model/source.ts'
import { gitRepository } from '#sources/git/repository.ts'
import { startGitHttp, type GitHttp } from '../testbed/git-http.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { startProxy, type Fault, type Proxy } from '../testbed/proxy.ts'
import { tallyOf } from './tally.ts'

const never = new AbortController().signal
const faults: readonly Fault[] = ['refuse', 'cut-before', 'cut-after', 'garbage', 'hang']
const isWhole = process.env['TEND_FAULTS'] === 'all'
const tally = tallyOf('Git')

describe('faults of a Git server', () => {
  let git: Bench
  let server: GitHttp
  let proxy: Proxy
  const folder = mkdtempSync(join(tmpdir(), 'tend-git-faults-'))

  before(async () => {
    git = gitBench()
    server = await startGitHttp({ folder: git.folder })
    proxy = await startProxy(Number(new URL(server.origin).port))
  })
  after(async () => {
    await proxy?.stop()
    await server?.stop()
    git?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  function repository(cache: string): Repository {
    return gitRepository({
      url: `http://127.0.0.1:${proxy.port}/infra.git`,
      credential: undefined,
      submodules: false,
      cache: join(folder, cache),
      environment: process.env,
      // one that hangs is not to hold up the sweep
      limits: { lookTime: 2000, fetchTime: 2000 },
    })
  }

  async function text(from: Repository): Promise<string> {
    const revision = (await from.latest(['main'], never)).get('main') ?? ''
    const snapshot = await from.snapshot(revision, 'main', never)
    return `${revision} ${readFileSync(join(snapshot.folder, 'web/compose.yaml'), 'utf8')}`
  }

  for (const isFirst of [true, false]) {
    test(isFirst ? 'the first fetch' : 'a later commit', async () => {
      let number = 0
      async function prepared(): Promise<{ from: Repository; old: string; wanted: string }> {
        number += 1
        const old = git.commit(`before ${number}`, { 'web/compose.yaml': `old ${number}` })
        const from = repository(`${isFirst ? 'first' : 'later'}-${number}`)
        proxy.plan(() => 'pass')
        if (!isFirst) await text(from)
        const id = git.commit(`after ${number}`, { 'web/compose.yaml': `new ${number}` })
        proxy.reset()
        return { from, old, wanted: `${id} new ${number}` }
      }
      const measured = await prepared()
      assert.equal(await text(measured.from), measured.wanted)
      const count = proxy.calls().length
      assert.ok(count > 0)
      for (let call = 1; call <= count; call += 1) {
        for (const fault of isWhole ? faults : faults.slice(0, -1)) {
          tally.tried(fault)
          const { from, old, wanted } = await prepared()
          proxy.plan((one) => (one.number === call ? fault : 'pass'))
          const where = `${fault} at request ${call} of ${count}`
          const got = await text(from).catch((thrown: unknown) => thrown)
          if (got instanceof Error) assert.ok(got instanceof Problem, `${where}: ${String(got)}`)
          else assert.equal(got, wanted, where)
          if (!isFirst) assert.equal((await from.snapshot(old, 'main', never)).revision, old, where)
          proxy.plan(() => 'pass')
          assert.equal(await text(from), wanted, where)
          tally.converged(fault)
        }
      }
    })
  }
})
