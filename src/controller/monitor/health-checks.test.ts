/** Whose checks are run when, with a real process for each check. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { stacksKind } from '#domains/stacks/domain.ts'
import type { Connection, Listing, Seen } from '#model/connection.ts'
import type { Look, Target } from '#model/domain.ts'
import { systemClock } from '../../../test/testbed/drive.ts'
import { waitFor } from '../../../test/testbed/serving.ts'
import { createContainerRecords } from './container-records.ts'
import { keepChecking } from './health-checks.ts'

/** How often each container was looked at to the end, and how many checks of each owner run now. */
type Bench = {
  readonly ended: Map<string, number>
  readonly running: Map<string, number>
  readonly most: Map<string, number>
  stop(): Promise<void>
}

function add(counts: Map<string, number>, key: string, number: number): number {
  const now = (counts.get(key) ?? 0) + number
  counts.set(key, now)
  return now
}

/** Owners are `source:name`; checks of those whose name begins with `hangs` never end by themselves. */
function checking(apps: Readonly<Record<string, number>>): Bench {
  const [ended, running, most] = [new Map(), new Map(), new Map()]
  const ends = new AbortController()
  const target: Target = {
    ...unasked,
    async look(ref, _subject, _gate, signal): Promise<Look> {
      const owner = ref.slice(0, ref.lastIndexOf(' '))
      most.set(owner, Math.max(most.get(owner) ?? 0, add(running, owner, 1)))
      const isHanging = owner.includes('hangs')
      const child = spawn(isHanging ? 'sleep' : 'true', isHanging ? ['600'] : [], {
        signal,
        stdio: 'ignore',
      })
      // a look that is ended from outside fails
      await once(child, 'close').finally(() => {
        add(running, owner, -1)
        add(ended, ref, 1)
      })
      return { state: 'ok', message: 'its health check passed' }
    },
  }
  const connection: Connection = { ...silent, ports: () => ({ kind: stacksKind, target }) }
  const listing: Listing = { apps: new Map(Object.entries(apps).map(seenOf)), orphans: new Map() }
  const watched = {
    records: createContainerRecords(),
    listing: () => listing,
    connection: () => connection,
    sourceOf: (owner: string) => owner.split(':')[0] ?? '',
  }
  const kept = keepChecking(watched, systemClock, () => undefined, ends.signal)
  return {
    ended,
    running,
    most,
    async stop() {
      ends.abort()
      await kept
    },
  }
}

function seenOf([owner, count]: [string, number]): [string, Seen] {
  const listed = Array.from({ length: count }, (_, at) => ({
    ref: `${owner} ${at}`,
    id: `${owner} ${at}`,
    name: `${owner} ${at}`,
    subject: null,
    state: 'running',
    exitCode: undefined,
    health: undefined,
    isOneShot: false,
    restarts: false,
    checkEvery: 100,
  }))
  const containers = { running: count, total: count }
  return [owner, { since: undefined, mark: undefined, containers, listed, fingerprint: '' }]
}

async function nobody(): Promise<never> {
  throw new Error('nobody asks for this here')
}

const unasked = {
  observe: nobody,
  operate: nobody,
  async *watch() {},
} satisfies Omit<Target, 'look'>

const silent: Omit<Connection, 'ports'> = {
  place: { address: 'here' },
  list: nobody,
  async *watch() {},
  ping: async () => undefined,
  close: () => undefined,
}

function hung({ ended }: Bench): readonly string[] {
  return [...ended.keys()].filter((key) => key.includes('hangs'))
}

/** Each of them so often, before the first that hangs was given up. */
async function looked(bench: Bench, keys: readonly string[], times: number): Promise<void> {
  await waitFor(() => {
    assert.deepEqual(hung(bench), [], `of others were run: ${[...bench.ended].join('; ')}`)
    return keys.every((key) => (bench.ended.get(key) ?? 0) >= times)
  })
}

test('checks of one application that hang keep those of no other waiting, of its own source neither', async () => {
  const bench = checking({ 'one:hangs': 60, 'one:well': 3, 'two:well': 3 })
  try {
    await looked(bench, ['one:well 0', 'one:well 2', 'two:well 0', 'two:well 2'], 3)
    assert.equal(bench.running.get('one:hangs'), 2)
    assert.equal(bench.most.get('one:hangs'), 2)
  } finally {
    await bench.stop()
  }
})

test('however many applications of a source hang, other sources are checked', async () => {
  const hanging = Array.from({ length: 30 }, (_, at) => [`one:hangs${at}`, 5] as const)
  const bench = checking({ ...Object.fromEntries(hanging), 'two:well': 3, 'three:well': 1 })
  try {
    await looked(bench, ['two:well 0', 'two:well 2', 'three:well 0'], 3)
  } finally {
    await bench.stop()
  }
})

test('who was looked at longest ago comes first: some that hang do not starve the rest', async () => {
  const bench = checking({ 'one:well': 20 })
  try {
    const all = Array.from({ length: 20 }, (_, at) => `one:well ${at}`)
    await looked(bench, all, 2)
    assert.ok((bench.most.get('one:well') ?? 0) <= 2)
  } finally {
    await bench.stop()
  }
})
