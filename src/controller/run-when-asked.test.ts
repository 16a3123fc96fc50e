/** An application that runs when it is asked to, and never by itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { LoadedKind } from '#model/application-kind.ts'
import type { Clock } from '#model/clock.ts'
import type { Event } from '#model/event.ts'
import type { Resource } from '#model/resource.ts'
import { usualPolicy } from '#model/usual-policy.ts'
import { vaultOf } from '#model/vault.ts'
import { snapshotHash } from '#engine/recorder.ts'
import { memoryLeases, memoryStore } from '#store/memory.ts'
import { resource } from '../../test/fake/run.ts'
import { fakeWorld } from '../../test/fake/world.ts'
import { runWhenAsked } from './run-when-asked.ts'

const allowed = { empty: false, massDelete: false }
const application = { kind: 'chart', namespace: null, name: 'app' } as const
const clock: Clock = {
  now: () => Date.now(),
  random: () => 0.5,
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
}

function scene() {
  const world = fakeWorld()
  const leases = memoryLeases(() => Date.now())
  const declared: Resource[] = [resource('thing/one', { value: 1 })]
  /** Happens at the next list. */
  const atList: (() => void)[] = []
  let lists = 0
  const ports = {
    kind: world.kind,
    target: world.target,
    render: async () => {
      const plain = { problems: [], warnings: [], isIncomplete: false, version: '1' }
      return { ...plain, resources: [...declared], vault: vaultOf(new Map(), new Uint8Array([1])) }
    },
  }
  const kind = {
    name: 'chart',
    engines: ['none'],
    files: ['none'],
    hashOf: snapshotHash,
    find: () => ({ address: 'here' }),
    connect: () => ({
      place: { address: 'here' },
      ports: () => ports,
      async list() {
        lists += 1
        atList.shift()?.()
        const apps = new Map([['test:chart:app', { containers: {}, fingerprint: `${lists}` }]])
        return { apps, orphans: new Map() }
      },
      close() {},
    }),
  } as unknown as LoadedKind
  const parts = {
    store: memoryStore(),
    leases,
    key: new Uint8Array(32),
    bindFiles: {} as never,
    clock,
    instance: 'test',
    holder: 'a test',
    log: () => undefined,
    kinds: [kind],
  }
  const none = { path: '', files: [], profiles: [], values: {}, target: undefined, at: undefined }
  const source = { kind: 'directory', path: '' } as const
  const wanted = {
    application,
    source,
    policy: usualPolicy,
    isRenderedByRuns: true,
    ...none,
  } as const
  const runs = runWhenAsked(parts, wanted, 0)
  return { world, declared, leases, runs, atList, lists: () => lists }
}

async function all(events: AsyncIterable<Event>): Promise<readonly Event[]> {
  const found: Event[] = []
  for await (const event of events) found.push(event)
  return found
}

test('each asking is one run that nobody is named for, and what drifts waits for the next', async () => {
  const { world, runs, atList, lists } = scene()
  try {
    for (let waited = 0; waited < 20; waited += 1) await turn()
    assert.equal(world.things.size, 0, 'it was not asked for yet')
    // somebody takes away what the run made, and the look after the run sees it
    atList.push(() => world.things.clear())
    const first = await all(runs.run(allowed))
    assert.deepEqual(
      first.flatMap((event) => (event.type === 'started' ? [event.trigger] : [])),
      ['refresh'],
    )
    for (let waited = 0; waited < 20; waited += 1) await turn()
    assert.deepEqual([world.things.size, lists()], [0, 1])
    await all(runs.run(allowed))
    assert.deepEqual([world.things.size, lists()], [1, 2])
  } finally {
    await runs.stop()
  }
})

test('what is declared when the lease is held counts, not what was when the run was asked for', async () => {
  const { world, declared, leases, runs } = scene()
  try {
    const lease = await leases.take('chart:app', 'another')
    assert.ok('release' in lease)
    const events: Event[] = []
    for await (const event of runs.run(allowed)) {
      events.push(event)
      if (event.type !== 'held') continue
      declared.push(resource('thing/two', { value: 2 }))
      await lease.release()
    }
    const made = [...world.things.values()].map(({ ref }) => ref)
    assert.deepEqual(made.toSorted(), ['thing/one', 'thing/two'])
    assert.equal(events.at(-1)?.type, 'ended')
  } finally {
    await runs.stop()
  }
})

test('a dry run plans as a run would, and applies and lists nothing', async () => {
  const { world, runs, lists } = scene()
  try {
    const events = await all(runs.dryRun(allowed))
    const planned = events.find((event) => event.type === 'planned')
    assert.deepEqual(
      planned?.plan.groups.map(({ ref, step }) => [ref, step]),
      [['thing/one', 'create']],
    )
    assert.deepEqual([world.things.size, lists()], [0, 0])
  } finally {
    await runs.stop()
  }
})

test('what is asked for after the stop is refused as interrupted', async () => {
  const { runs } = scene()
  await runs.stop()
  await assert.rejects(all(runs.run(allowed)), { code: 'interrupted' })
})
