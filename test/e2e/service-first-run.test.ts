/** A first run that failed: of an application of which nothing or only a part runs, the service never says that it is healthy. */
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { TestContext } from 'node:test'
import { stackRecordOf } from '#server/shapes/origin.ts'
import type { AppStatus } from '#model/service.ts'
import { busybox } from '../testbed/image.ts'
import { checkedChart, isWell, onBothEngines, type Application } from './health-bench.ts'

const never = new AbortController().signal

/** A stack of one service that is to run, with further lines of it. */
function web(more: string, image: string = busybox): string {
  return `services:
  web:
    image: ${image}
    stop_grace_period: 0s
${more}`
}

/** The same beside a service that runs well, and that is made first. */
function besideGood(text: string): string {
  return `${text}    depends_on: [good]
  good:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
`
}

const noImage = web('    command: sleep 1000\n    pull_policy: never\n', 'no/such:1')
const noProgram = web('    command: [/no/such/program]\n')

function hasFailed({ state }: AppStatus): boolean {
  return state === 'failed'
}

/** The same answer everywhere: status, docker-cd's record, metrics, and the container itself. */
async function saysEverywhere(app: Application, name: string, reason: RegExp): Promise<AppStatus> {
  const status = await app.until(hasFailed)
  const { health } = status
  assert.match(`${health.state}: ${health.reason}`, reason)
  const record = stackRecordOf(status, { deployDir: '' })
  assert.equal(record.status, 'failed')
  assert.notEqual(record.lastSyncError ?? '', '')
  const metric = `tend_app_health{app="stack:${name}",state="${health.state}"} 1`
  assert.ok(app.service().metrics.text().includes(metric), metric)
  const resources = await app.service().resources(`stack:${name}`, never)
  const container = resources.find(({ ref }) => ref === 'container/web-1')
  assert.equal(container?.health?.state, 'failed')
  return status
}

async function takenPort(t: TestContext): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done))
  t.after(() => server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

onBothEngines('a first run that failed', async ({ t, engine, served }) => {
  const port = await takenPort(t)
  const cases = {
    'an image that can not be had': [
      noImage,
      /^failed: container\/web-1: it does not exist: image no\/such:1 is not there/,
    ],
    'a registry that is away': [
      web('    command: sleep 1000\n', 'localhost:1/no/such:1'),
      /^failed: container\/web-1: it does not exist: could not pull image localhost:1/,
    ],
    'a port that is taken': [
      web(`    command: sleep 1000\n    ports: ["${port}:80"]\n`),
      new RegExp(`^failed: container/web-1: it does not exist: .*host port ${port}/tcp is in use`),
    ],
    'a program that is not there': [
      noProgram,
      /^failed: container\/web-1: it (could not be|was not) started: .*\/no\/such\/program/s,
    ],
    'a user that is not there': [
      web('    command: sleep 1000\n    user: nosuchuser\n'),
      /^failed: container\/web-1: it (could not be|was not) started: .*nosuchuser/s,
    ],
    'a bind of what can not be': [
      web('    command: sleep 1000\n    volumes: ["/proc/no/such:/data"]\n'),
      /^failed: container\/web-1: it (does not exist|could not be started|was not started): .*\/proc\/no/s,
    ],
    'a part that runs, beside a program that is not there': [
      besideGood(noProgram),
      /^degraded: container\/web-1: it (could not be|was not) started: .*\/no\/such\/program/s,
    ],
    'a part that runs, beside an image that can not be had': [
      besideGood(noImage),
      /^degraded: container\/web-1: it does not exist: image no\/such:1 is not there/,
    ],
  } as const
  for (const [index, [title, [text, reason]]] of Object.entries(cases).entries()) {
    await t.test(title, async () => {
      const name = `first-${index}`
      const app = await served(name, { [`${name}/compose.yaml`]: text })
      await saysEverywhere(app, name, reason)
      await app.service().stop()
    })
  }

  await t.test('it is said after a restart too, and ends when a commit mends it', async () => {
    const app = await served('mended', { 'mended/compose.yaml': besideGood(noImage) })
    const reason = /^degraded: container\/web-1: it does not exist/
    await saysEverywhere(app, 'mended', reason)
    await app.restart(() => Promise.resolve())
    // at first it is only known that the run failed, then what is not there
    const early = await app.until(hasFailed)
    assert.equal(early.health.state, 'degraded')
    await app.until(({ health }) => health.reason.startsWith('container/web-1'))
    await saysEverywhere(app, 'mended', reason)
    app.repo.commit({ 'mended/compose.yaml': besideGood(web('    command: sleep 1000\n')) })
    app.service().refresh()
    await app.until(isWell)
  })

  await t.test('an update that failed and was not undone is not well either', async () => {
    const good = web('    command: sleep 1000\n')
    const app = await served('update', { 'update/compose.yaml': good }, { rollback: 'never' })
    await app.until(isWell)
    const both = `${good}  late:\n    image: no/such:1\n    pull_policy: never\n`
    app.repo.commit({ 'update/compose.yaml': both })
    app.service().refresh()
    const status = await app.until(hasFailed)
    assert.equal(status.health.state, 'degraded')
    assert.match(status.health.reason, /^container\/late-1: it does not exist: image no\/such:1/)
  })

  if (engine === 'Docker') return
  await t.test('a chart whose program is not there', async () => {
    const template = checkedChart['site/templates/web.yaml']
    const broken = template.replace(/command: .*/, 'command: [/no/such/program]')
    assert.notEqual(broken, template)
    const files = { ...checkedChart, 'site/templates/web.yaml': broken }
    const app = await served('site', files)
    const { health } = await app.until(hasFailed)
    assert.equal(health.state, 'failed')
    assert.match(health.reason, /^container\/web: it (could not be|was not) started: .*no such/is)
  })
})
