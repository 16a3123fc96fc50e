/** A commit that does not get well keeps no newer one waiting: the wait for its health ends, on both engines and for charts too. */
import assert from 'node:assert/strict'
import { isWell, onBothEngines, type Application } from './health-bench.ts'
import { busybox } from '../testbed/image.ts'
import { waitFor } from '../testbed/serving.ts'
import type { AppStatus } from '#model/service.ts'

/** Longer than a test: whoever waits for this has not been superseded. */
const timeout = 30 * 60_000

function stack(
  greeting: string,
  more: { readonly isWell: boolean; readonly shares?: boolean },
): string {
  const { isWell: starts, shares = false } = more
  return `services:
  web:
    image: ${busybox}
    command: sh -c "${starts ? 'touch /tmp/well; ' : ''}sleep 1000"
    environment: { GREETING: ${greeting} }
    stop_grace_period: 0s
    healthcheck: { test: "test -e /tmp/well", interval: 1s, timeout: 2s, retries: 100000 }
${shares ? '    volumes: [data:/data]\nvolumes: { data: {} }\n' : ''}`
}

function chart(greeting: string, starts: boolean): Readonly<Record<string, string>> {
  const command = `${starts ? 'touch /tmp/well; ' : ''}sleep 1000`
  return {
    'site/Chart.yaml': 'name: site\nversion: 1.0.0\n',
    'site/templates/web.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: web }
spec:
  image: ${busybox}
  command: [sh, -c, "${command}"]
  env: [{ name: GREETING, value: ${greeting} }]
  stopTimeoutSeconds: 0
  health: { type: exec, command: ["test", "-e", "/tmp/well"], intervalSeconds: 1, timeoutSeconds: 2, retries: 100000 }
`,
  }
}

function waitsForHealth({ sync }: AppStatus): boolean {
  return sync.state === 'syncing' && /container\/\S+: /.test(sync.reason)
}

/** Number, outcome and first problem of each recorded run, oldest first. */
async function runsOf(app: Application): Promise<readonly string[]> {
  const { store } = app.service().parts
  const [{ application }] = app.service().apps() as readonly [AppStatus]
  const runs = await store.runs(application)
  const texts = runs.toReversed().map(async ({ number, outcome, isRolledBack }) => {
    const codes = new Set<string>()
    for (const event of await store.events(application, number)) {
      if (event.type === 'problem') codes.add(event.problem.code)
      if (event.type === 'operation' && event.part === 'undo') codes.add('undo')
    }
    return [number, outcome, isRolledBack ? 'back' : '', ...codes]
      .filter((one) => one !== '')
      .join(' ')
  })
  return Promise.all(texts)
}

onBothEngines('a newer commit', async ({ t, engine, docker, served }) => {
  const never = new AbortController().signal
  /** Of the containers whose name begins so. */
  async function greetings(prefix: string): Promise<readonly string[]> {
    const asked = { signal: never, doing: 'look at what runs' }
    const { body } = await docker.ask('GET', '/containers/json', { ...asked, query: { all: true } })
    const all: readonly { readonly Id: string; readonly Names: readonly string[] }[] = JSON.parse(
      JSON.stringify(body),
    )
    const own = all.filter(({ Names }) => Names.some((name) => name.startsWith(`/${prefix}`)))
    const found = own.map(async ({ Id }) => {
      const { body: one } = await docker.ask('GET', `/containers/${Id}/json`, asked)
      return /GREETING=(\w+)/.exec(JSON.stringify(one))?.[1] ?? ''
    })
    return Promise.all(found)
  }

  for (const [name, shares, what] of [
    ['beside', false, 'beside what ran'],
    ['place', true, 'in the place of what ran'],
  ] as const) {
    await t.test(`ends the wait for one that was made ${what}`, async () => {
      const file = `${name}/compose.yaml`
      const app = await served(
        name,
        { [file]: stack('good', { isWell: true, shares }) },
        { timeout },
      )
      await app.until(isWell)
      const bad = app.repo.commit({ [file]: stack('bad', { isWell: false, shares }) }, 'bad')
      app.service().refresh()
      await app.until((status) => waitsForHealth(status) && status.desired?.revision === bad)
      const mended = app.repo.commit(
        { [file]: stack('mended', { isWell: true, shares }) },
        'mended',
      )
      app.service().refresh()
      const status = await app.until((one) => isWell(one) && one.synced?.revision === mended)
      assert.equal(status.failures, 0)
      assert.deepEqual(await greetings(`${name}-`), ['mended'])
      assert.deepEqual(await runsOf(app), [
        '1 succeeded',
        '2 interrupted superseded',
        '3 succeeded',
      ])
      const log = app.service().lines.join('\n')
      assert.match(log, new RegExp(`sync interrupted .*superseded: revision ${mended} is to be`))
    })
  }

  await t.test('that fails as well leaves what was good before both', async () => {
    const file = 'both/compose.yaml'
    const good = stack('good', { isWell: true, shares: true })
    // whatever is to become of changes by hand: this is none
    const app = await served('both', { [file]: good }, { timeout, drift: 'ignore' })
    const { synced } = await app.until(isWell)
    app.repo.commit({ [file]: stack('bad', { isWell: false, shares: true }) }, 'bad')
    app.service().refresh()
    await app.until(waitsForHealth)
    const worse = stack('worse', { isWell: false, shares: true }).replace('sleep 1000', 'exit 3')
    app.repo.commit({ [file]: worse }, 'worse')
    app.service().refresh()
    const failed = await app.until(({ state }) => state === 'failed')
    assert.deepEqual(failed.synced, synced)
    assert.equal(failed.desired?.message, 'worse')
    await waitFor(async () => (await greetings('both-')).join(' ') === 'good')
    await app.until(({ state, health }) => state === 'failed' && health.state === 'healthy')
  })

  await t.test('that takes it back is what runs then', async () => {
    const file = 'revert/compose.yaml'
    const good = stack('good', { isWell: true })
    const app = await served('revert', { [file]: good }, { timeout })
    await app.until(isWell)
    app.repo.commit({ [file]: stack('bad', { isWell: false }) }, 'bad')
    app.service().refresh()
    await app.until(waitsForHealth)
    const reverted = app.repo.commit({ [file]: good }, 'reverted')
    app.service().refresh()
    await app.until((one) => isWell(one) && one.synced?.revision === reverted)
    assert.deepEqual(await greetings('revert-'), ['good'])
  })

  await t.test('that takes the application out of its source takes it down', async () => {
    const file = 'out/compose.yaml'
    const declared = { timeout, prune: true }
    const app = await served('out', { [file]: stack('good', { isWell: true }) }, declared)
    await app.until(isWell)
    app.repo.commit({ [file]: stack('bad', { isWell: false }) }, 'bad')
    app.service().refresh()
    await app.until(waitsForHealth)
    app.repo.commit({ 'README.md': 'nothing of it' }, 'gone')
    app.service().refresh()
    await app.until(({ state, reason }) => state === 'missing' && reason.startsWith('removed'))
    assert.deepEqual(await greetings('out-'), [])
  })

  await t.test('of a chart', { skip: engine === 'Docker' && 'charts run on Podman' }, async () => {
    const app = await served('site', chart('good', true), { timeout })
    await app.until(isWell)
    app.repo.commit(chart('bad', false), 'bad')
    app.service().refresh()
    await app.until(waitsForHealth)
    const mended = app.repo.commit(chart('mended', true), 'mended')
    app.service().refresh()
    await app.until((one) => isWell(one) && one.synced?.revision === mended)
    assert.deepEqual(await greetings('web'), ['mended'])
    assert.equal((await runsOf(app))[1], '2 interrupted superseded')
  })
})
