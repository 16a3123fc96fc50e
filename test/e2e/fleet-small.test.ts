/** Small things that were said wrongly: a file that is no list, a push that may only read, what an interrupt left. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fleetBench, summaryIn, type FleetBench } from '../testbed/fleet.ts'
import { startGitHttp } from '../testbed/git-http.ts'
import { gitBench } from '../testbed/git.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

async function bench(...names: readonly string[]): Promise<FleetBench> {
  const made = await fleetBench()
  endings.push(() => made.close())
  assert.equal((await made.fleet('init')).code, 0)
  for (const name of names) assert.equal((await made.fleet(`add ${name} --provider k3d`)).code, 0)
  return made
}

test('a wrong file for --import is told in a few lines', async () => {
  const { fleet, write, folder } = await bench()
  write({ 'wrong.csv': Array.from({ length: 220 }, (_, n) => `line${n}`).join('\n') })
  const told = await fleet(`init --import ${folder}/wrong.csv`)
  assert.equal(told.code, 2)
  assert.match(told.err, /210 more lines of .*wrong\.csv are wrong: is it an environments\.csv\?/)
  assert.ok(told.err.split('\n').length < 45, told.err)
})

test('a refused push advises a token that may write', async () => {
  const git = gitBench()
  endings.push(() => git.remove())
  git.commit('first', { 'deploy/Chart.yaml': 'name: whoami\n' })
  // without receive-pack the repository may be read and not written
  const http = await startGitHttp({ folder: git.folder })
  endings.push(() => http.stop())
  const { fleet, write } = await bench('dev')
  write({ 'fleet.yaml': `git: { url: '${http.origin}/infra.git' }\n` })
  const ran = await fleet('reconcile --from-db --timeout 30s')
  assert.equal(ran.code, 1)
  assert.match(ran.out, /branch: .*may write to the repository/)
})

test('what stands when a run is interrupted is told to run', async () => {
  const { start, sql, answer } = await bench('dev', 'slow')
  answer('slow', 500)
  const going = start('reconcile --from-db --timeout 1m')
  const phase = (): unknown =>
    sql("select made_phase from tend_clusters where name = 'dev'")[0]?.['made_phase']
  while (phase() !== 'made' && going.child.exitCode === null) await sleep(20)
  going.child.kill('SIGINT')
  const told = await going.told
  assert.equal(told.code, 130)
  const item = summaryIn(told.out).get('dev')
  assert.equal(item?.['actual'], 'running')
  assert.doesNotMatch(String(item?.['message']), /not done/)
})
