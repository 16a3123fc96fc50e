/** Alerts of replicas: of what one looks after it alone tells, and what it did not get to tell is told by whoever takes over. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openAlerts, type Alerts } from '#controller/alerts/open-alerts.ts'
import type { AlertChannel } from '#model/declaration.ts'
import type { AppStatus } from '#model/service.ts'
import { memoryNotes } from '#store/memory.ts'
import { manualClock, type ManualClock } from '../testbed/manual-clock.ts'
import { webStandIn, type WebStandIn } from '../testbed/web-stand-in.ts'

const key = 'stack:web'
const after = 600_000

const failed: AppStatus = {
  key,
  application: { kind: 'stack', namespace: null, name: 'web' },
  state: 'failed',
  reason: 'web exited 1',
  sync: { state: 'synced', reason: '', since: 0 },
  health: { state: 'healthy', reason: '', since: 0, isGivenUp: false },
  desired: { revision: 'a'.repeat(40), message: 'one', hash: 'h' },
  synced: undefined,
  lastRun: undefined,
  nextTry: undefined,
  failures: 3,
  isSuspended: false,
  needsAcknowledgement: false,
  containers: { running: 0, total: 1 },
  source: { shown: 'https://example.org/web.git', ref: 'main', path: 'web', file: 'compose.yaml' },
  target: 'unix:///run/docker.sock',
  dependsOn: [],
}

type Replica = { readonly alerts: Alerts; isOurs: boolean }
type Scene = {
  readonly web: WebStandIn
  readonly clock: ManualClock
  readonly start: (isOurs: boolean) => Promise<Replica>
}

async function scene(context: TestContext): Promise<Scene> {
  const web = await webStandIn()
  context.after(() => web.close())
  const [notes, clock] = [memoryNotes(), manualClock()]
  const channel: AlertChannel = {
    name: 'ops',
    kind: 'webhook',
    url: { text: `${web.url}/hook` },
    secret: undefined,
    settings: {},
  }
  return {
    web,
    clock,
    async start(isOurs) {
      const replica = { isOurs }
      const alerts = await openAlerts({
        instance: 'tend',
        declared: () => ({ alerts: { failures: 3, after, channels: [channel] }, commitStatus: [] }),
        notes,
        clock,
        readSecret: async () => '',
        warn: () => undefined,
        isOurs: () => replica.isOurs,
      })
      context.after(() => alerts.close())
      return Object.assign(replica, { alerts })
    },
  }
}

async function comes(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('it did not happen')
}

test('one that starts does not tell what another one is still trying to tell', async (context) => {
  const { web, start } = await scene(context)
  const one = await start(true)
  web.answer(503)
  one.alerts.see({ type: 'app', status: failed })
  await comes(() => web.seen.length === 1)
  const other = await start(false)
  other.alerts.see({ type: 'app', status: failed })
  await other.alerts.idle()
  assert.equal(web.seen.length, 1)
})

test('what one that died did not get to tell is told by who takes over, and no more by the first', async (context) => {
  const { web, clock, start } = await scene(context)
  const [one, other] = [await start(true), await start(false)]
  web.answer(503)
  for (const each of [one, other]) each.alerts.see({ type: 'app', status: failed })
  await comes(() => web.seen.length === 1)
  one.isOurs = false
  one.alerts.letGo([key])
  other.isOurs = true
  await other.alerts.takeOver([key])
  await other.alerts.idle()
  assert.equal(web.seen.length, 2)
  clock.advance(after)
  await one.alerts.idle()
  assert.equal(web.seen.length, 2, 'it was told twice')
})

for (const isSeen of [true, false]) {
  const when = isSeen ? 'before that' : 'in that moment'
  test(`what became due while nobody looked after it is told by who takes over; due ${when}`, (context) =>
    dueMeanwhile(context, isSeen))
}

async function dueMeanwhile(context: TestContext, isSeen: boolean): Promise<void> {
  const { web, clock, start } = await scene(context)
  const [one, other] = [await start(true), await start(false)]
  for (const each of [one, other]) {
    each.alerts.see({ type: 'app', status: { ...failed, failures: 1 } })
  }
  await one.alerts.close()
  clock.advance(after + 1)
  assert.equal(web.seen.length, 0)
  if (isSeen) await new Promise((resolve) => setImmediate(resolve))
  other.isOurs = true
  await other.alerts.takeOver([key])
  await other.alerts.idle()
  assert.equal(web.seen.length, 1)
}
