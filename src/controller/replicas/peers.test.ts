/** One replica among others whose database answers late, not at all, or after somebody else has spoken. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Problem } from '#model/problem.ts'
import type { Exchange, Exchanged, Membership, ReplicaRow } from '#model/replicas.ts'
import { openPeers, type Peers } from './peers.ts'

type Script = {
  readonly membership: Membership
  readonly asked: Exchange[]
  /** What the next exchanges do, in order; the last one stays. */
  next: ((asked: Exchange) => Promise<Partial<Exchanged>>)[]
}

const nothing = { leader: '', alone: undefined, duties: [], endedDuties: [], messages: [] }

function row(id: string, changes: Partial<ReplicaRow> = {}): ReplicaRow {
  const facts = { name: id, url: '', host: id, offers: [], wants: 0 }
  return { ...facts, id, slots: 0, expiresIn: 9_000, ...changes }
}

function scripted(shown: Membership['shown'] = async () => new Map()): Script {
  const script: Script = {
    asked: [],
    next: [async () => ({})],
    membership: {
      id: 'me',
      lost: new AbortController().signal,
      isHeld: () => true,
      async exchange(exchange) {
        script.asked.push(exchange)
        const [work] = script.next.length > 1 ? script.next.splice(0, 1) : script.next
        const told = await work?.(exchange)
        return { ...nothing, replicas: [row('me')], slots: 0, ...told }
      },
      shown,
      keep: async () => undefined,
      leave: async () => undefined,
    },
  }
  return script
}

async function opened(t: TestContext, { membership }: Script): Promise<Peers> {
  const peers = await openPeers({
    membership,
    replicas: { listen: () => () => undefined },
    name: 'me',
    instance: 'tend',
    host: 'me',
    log: () => undefined,
    concurrency: () => 4,
    stepAside: () => undefined,
  })
  t.after(() => peers.stop())
  return peers
}

async function comes(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('it did not happen')
}

test('what is shown while it joins is not missed: the list is read after the place in the messages', async (t) => {
  const order: string[] = []
  const script = scripted(async () => {
    order.push('list')
    return new Map()
  })
  script.next = [
    async () => {
      order.push('place')
      return {}
    },
  ]
  await opened(t, script)
  assert.deepEqual(order, ['place', 'list'])
})

test('nothing begins in slots that an exchange under way may give back', async (t) => {
  const script = scripted()
  const peers = await opened(t, script)
  const answer = Promise.withResolvers<Partial<Exchanged>>()
  script.next = [async () => ({ slots: 4 }), () => answer.promise, async () => ({ slots: 0 })]
  peers.need(0, 4)
  await comes(() => peers.slots(0) === 4)
  // all that waited is gone: they are given back
  const before = script.asked.length
  peers.need(0, 0)
  await comes(() => script.asked.length > before)
  assert.equal(peers.slots(0), 0)
  answer.resolve({ slots: 0 })
  await comes(() => script.asked.length > before)
  assert.equal(peers.slots(0), 0)
})

test('whether slots were taken is not known when no answer comes: only what runs goes on', async (t) => {
  const script = scripted()
  const peers = await opened(t, script)
  script.next = [
    async () => ({ slots: 4 }),
    async () => {
      throw new Problem({ type: 'runtime', code: 'unreachable', message: 'no answer came' })
    },
  ]
  peers.need(0, 4)
  await comes(() => peers.slots(0) === 4)
  peers.need(1, 0)
  await comes(() => script.asked.length >= 3)
  await comes(() => peers.slots(1) === 1)
  assert.equal(peers.slots(0), 1, 'another one may have the rest by now')
})

test('while others wait it keeps to its share, and says that runs have ended', async (t) => {
  const script = scripted()
  const peers = await opened(t, script)
  const both = [row('me', { slots: 4 }), row('other', { wants: 3 })]
  script.next = [async () => ({ slots: 4, replicas: both })]
  peers.need(0, 9)
  await comes(() => script.asked.some(({ self }) => self.wants === 9))
  peers.need(4, 5)
  await comes(() => script.asked.at(-1)?.running === 4)
  // one of the four has ended: the other one waits, and two are enough
  assert.equal(peers.slots(3), 3)
  peers.need(3, 5)
  await comes(() => script.asked.at(-1)?.running === 3)
  assert.equal(script.asked.at(-1)?.hasEnded, true)
})

test('many words go a part at a time, each with what it shows', async (t) => {
  const script = scripted()
  const peers = await opened(t, script)
  for (let at = 0; at < 5_000; at += 1) peers.show(`app ${at}`, { at })
  await comes(() => script.asked.reduce((sum, { shown }) => sum + shown.length, 0) === 5_000)
  for (const { messages, shown } of script.asked) {
    assert.ok(messages.length <= 2_000 && shown.length <= 2_000, `${shown.length} at once`)
  }
})
