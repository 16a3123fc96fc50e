/** The service takes over what docker compose started, as far as it is told to, and says what stays and what is made anew. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppStatus } from '#model/service.ts'
import { composeOracle, runCompose } from '../testbed/compose-oracle.ts'
import { busybox } from '../testbed/image.ts'
import { onBothEngines } from './health-bench.ts'

const oracle = composeOracle()
const never = new AbortController().signal
const isSynced = ({ state }: AppStatus): boolean => state === 'synced'
const isFailed = ({ state }: AppStatus): boolean => state === 'failed'

function text(level: string): string {
  return `services:
  web:
    image: ${busybox}
    command: [/bin/sleep, "100000"]
    environment: { LEVEL: ${level} }
    stop_grace_period: 0s
  db:
    image: ${busybox}
    command: [/bin/sleep, "100000"]
    volumes: [data:/data]
    stop_grace_period: 0s
volumes: { data: {} }
`
}

if (oracle.skip === false) {
  onBothEngines('taking over by the service', async ({ t, docker, served }) => {
    const folder = mkdtempSync(join(tmpdir(), 'tend-adopt-'))
    const theirs = (name: string): string => join(folder, name, 'compose.yaml')

    /** As a person did it before there was Tend. */
    function composeUp(name: string, level: string): void {
      mkdirSync(join(folder, name), { recursive: true })
      writeFileSync(theirs(name), text(level))
      const { status, stderr } = runCompose(oracle, ['-f', theirs(name), 'up', '-d'], {
        env: { ...process.env, DOCKER_HOST: docker.address },
      })
      assert.equal(status, 0, stderr)
    }
    async function idOf(container: string): Promise<string> {
      const asked = { signal: never, doing: 'could not look' }
      const { body } = await docker.ask('GET', `/containers/${container}/json`, asked)
      return JSON.parse(JSON.stringify(body)).Id
    }
    const idsOf = (name: string): Promise<readonly string[]> =>
      Promise.all([idOf(`${name}-web-1`), idOf(`${name}-db-1`)])

    // one service for both: two of one name would undo each other's work
    let begun: ReturnType<typeof served> | undefined
    const shop = () => (begun ??= served('shop', { 'shop/compose.yaml': text('new') }))

    await t.test('unless told, nothing is taken over, and it is said what is there', async () => {
      composeUp('shop', 'old')
      const before = await idsOf('shop')
      const app = await shop()
      const refused = await app.until(isFailed)
      assert.match(refused.reason, /named shop_default is there already of Compose project shop/)
      assert.match(refused.reason, /tend sync NAME --adopt, or adopt: matching or all in tend.yaml/)
      const details = refused.lastRun?.problem
      assert.equal(details?.code, 'name_taken')
      const [plain] = (await app.service().plan('stack:shop', never)).skipped.filter(
        ({ ref }) => ref === 'container/web-1',
      )
      assert.ok(plain?.problem.message.endsWith(`(made from ${theirs('shop')})`))
      assert.deepEqual(await idsOf('shop'), before)
    })

    await t.test(
      'a preview says what stays, what is made anew and why; a sync does it',
      async () => {
        const before = await idsOf('shop')
        const app = await shop()
        await app.until(isFailed)
        const plan = await app.service().plan('stack:shop', never, undefined, { adopts: true })
        assert.deepEqual(
          plan.groups.map(({ ref, step }) => `${step} ${ref}`),
          ['replace container/web-1'],
        )
        const why = `it was made with another environment.LEVEL: it was made from ${theirs('shop')}`
        assert.equal(plan.groups[0]?.cause, why)
        assert.deepEqual(plan.warnings, [
          'taken over as they are: network/default, volume/data, container/db-1',
          `taken over and made anew: container/web-1, because ${why}`,
        ])
        assert.deepEqual(await idsOf('shop'), before)
        assert.equal((await app.service().plan('stack:shop', never)).groups.length, 0)

        const meant = { empty: false, massDelete: false, adopts: true }
        const { status, outcome } = await app.service().sync('stack:shop', meant)
        assert.equal(outcome, 'succeeded', status.reason)
        const [web, db] = await idsOf('shop')
        assert.notEqual(web, before[0])
        assert.equal(db, before[1])
        await app.until(isSynced)
      },
    )

    await t.test('adopt: matching takes over what is as it should be, and keeps it', async () => {
      composeUp('same', 'one')
      const before = await idsOf('same')
      const app = await served('same', { 'same/compose.yaml': text('one') }, { adopt: 'matching' })
      const { synced: first } = await app.until(isSynced)
      assert.deepEqual(await idsOf('same'), before)
      app.repo.commit({ 'same/compose.yaml': text('two') })
      app.service().refresh()
      await app.until(({ state, synced }) => state === 'synced' && synced?.hash !== first?.hash)
      const [web, db] = await idsOf('same')
      assert.equal(db, before[1])
      assert.notEqual(web, before[0])
    })

    await t.test('adopt: matching leaves what differs, and says why', async () => {
      composeUp('part', 'theirs')
      const before = await idsOf('part')
      const app = await served('part', { 'part/compose.yaml': text('ours') }, { adopt: 'matching' })
      const { reason } = await app.until(isFailed)
      assert.match(reason, /named part-web-1 is there already of Compose project part/)
      assert.match(reason, /and can't stay as it is: it was made with another environment.LEVEL/)
      assert.deepEqual(await idsOf('part'), before)
    })

    await t.test('adopt: all makes anew what differs', async () => {
      composeUp('every', 'theirs')
      const before = await idsOf('every')
      const app = await served('every', { 'every/compose.yaml': text('ours') }, { adopt: 'all' })
      await app.until(isSynced)
      const [web, db] = await idsOf('every')
      assert.notEqual(web, before[0])
      assert.equal(db, before[1])
    })
  })
}
