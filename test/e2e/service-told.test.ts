/** What is told of a stack: a refused file is a run, the mark follows the newest revision, and labels name files that are there. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { inspectImage } from '#clients/docker/images.ts'
import { readMarkers } from '#domains/stacks/marker.ts'
import type { AppStatus } from '#model/service.ts'
import { composeOracle } from '../testbed/compose-oracle.ts'
import { busybox } from '../testbed/image.ts'
import { onBothEngines } from './health-bench.ts'

const oracle = composeOracle()
const never = new AbortController().signal
const isSynced = ({ state }: AppStatus): boolean => state === 'synced'

function text(level: string): string {
  return `services:
  web: { image: ${busybox}, command: sleep 1000, stop_grace_period: 0s, environment: { LEVEL: ${level} } }
`
}

onBothEngines('what is told of a stack', async ({ t, docker, served, call }) => {
  const file = 'deploy/told/compose.yaml'
  const app = await served('told', { [file]: text('a') }, {}, 'deploy/told')
  const first = await app.until(isSynced)

  await t.test('docker compose ls shows files that are there', { skip: oracle.skip }, () => {
    const { stdout, stderr } = spawnSync(oracle.path, ['ls', '--format', 'json'], {
      env: { ...process.env, DOCKER_HOST: docker.address },
      encoding: 'utf8',
    })
    const found: readonly { Name: string; ConfigFiles: string }[] = JSON.parse(stdout || stderr)
    const told = found.find(({ Name }) => Name === 'told')
    assert.equal(readFileSync(told?.ConfigFiles ?? '', 'utf8'), text('a'))
  })

  await t.test('a repair takes the mark to the revision that is in force', async () => {
    const revision = app.repo.commit({ [file]: text('a'), 'README.md': 'nothing of it' })
    app.service().refresh()
    await app.until(({ desired }) => desired?.revision === revision)
    await call('/containers/told-web-1', 'DELETE')
    await app.until(({ lastRun, state }) => state === 'synced' && lastRun?.trigger === 'drift')
    const marker = (await readMarkers(docker, never)).get('test-told:stack:told')
    assert.equal(marker?.revision, revision)
    assert.equal(marker.hash, first.synced?.hash)
  })

  await t.test('a refused file is a run with its outcome, once', async () => {
    const before = app.service().app('stack:told').lastRun
    const revision = app.repo.commit({ [file]: 'services: { web: { imagee: x } }\n' })
    app.service().refresh()
    const failed = await app.until(
      ({ state, lastRun }) => state === 'failed' && lastRun?.outcome === 'refused',
    )
    assert.ok((failed.lastRun?.at ?? 0) > (before?.at ?? 0))
    assert.match(failed.lastRun?.problem?.message ?? '', /imagee/)
    const [run, ...others] = await app.service().runs('stack:told')
    assert.equal(run?.outcome, 'refused')
    assert.equal(run.version, revision)
    const events = await app.service().events('stack:told', run.number)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['started', 'opened', 'problem', 'ended'],
    )
    await assert.rejects(app.service().rollback('stack:told', run.number), /was refused/)
    app.repo.trouble = 'its host is down'
    await app.restart(async () => {})
    // before its source is read it is told where it lay
    assert.equal(app.service().app('stack:told').source.path, 'deploy/told')
    app.repo.trouble = undefined
    app.service().refresh()
    await app.until(({ state, reason }) => state === 'failed' && /imagee/.test(reason))
    assert.equal((await app.service().runs('stack:told')).length, others.length + 1)
  })

  await t.test('images of long ago are removed, as far as the operator says', async () => {
    const image = (number: number): string => `localhost/tend/kept:${number}`
    const using = (number: number): Readonly<Record<string, string>> => ({
      'kept/compose.yaml': `services:
  web:
    image: ${image(number)}
    build: { context: ., dockerfile_inline: "FROM ${busybox}\\nLABEL number=${number}" }
    command: sleep 1000
    stop_grace_period: 0s
`,
    })
    async function isThere(number: number): Promise<boolean> {
      return (await inspectImage(docker, image(number), never)) !== undefined
    }
    const kept = await served('kept', using(1), { keepImages: 1 })
    let last = await kept.until(isSynced)
    for (const number of [2, 3]) {
      kept.repo.commit(using(number))
      kept.service().refresh()
      const before = last.synced?.hash
      last = await kept.until((one) => isSynced(one) && one.synced?.hash !== before)
    }
    assert.deepEqual([await isThere(1), await isThere(2), await isThere(3)], [false, true, true])
  })
})
