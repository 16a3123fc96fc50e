/** Replicas are killed, stopped, cut off, filled up and set to other times, as a seed says: each time all comes to be as declared. */
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import assert from 'node:assert/strict'
import { requiredPostgres } from '../testbed/postgres.ts'
import { openReplicaWorld, type Replica, type ReplicaWorld } from './replica-world.ts'
import { tallyOf } from './tally.ts'

const isWhole = process.env['TEND_FAULTS'] === 'all'
const seed = Number(process.env['TEND_FAULTS_SEED'] ?? (isWhole ? Date.now() % 1_000_000 : 17))
const rounds = Number(process.env['TEND_FAULTS_ROUNDS'] ?? (isWhole ? 30 : 2))
const tally = tallyOf('replicas')

/** A replica that says nothing for nine seconds counts as gone: some harm is over before that, some after, ms. */
const brief = [200, 4_000] as const
const long = [10_000, 14_000] as const
const minutes = 7 * 60_000

/** Does the harm; the function that it gives makes it good again. `clock`: ms by which its clock is ahead if it is started anew. */
type Harm = (replica: Replica, clock: number) => Promise<() => Promise<void>>
type Random = () => number

const harms: Readonly<Record<string, Harm>> = {
  async SIGKILL(replica, clock) {
    await replica.kill()
    return () => replica.start(clock)
  },
  async SIGSTOP(replica) {
    replica.signal('SIGSTOP')
    return async () => replica.signal('SIGCONT')
  },
  async SIGTERM(replica, clock) {
    await replica.stop()
    return () => replica.start(clock)
  },
  async 'partition, silent'({ line }) {
    line.set('silent')
    return async () => line.set('open')
  },
  async 'partition, refused'({ line }) {
    line.set('refused')
    return async () => line.set('open')
  },
  async 'partition, cable pulled'({ cable }) {
    cable?.cut()
    return async () => cable?.mend()
  },
  async 'full disk'(replica) {
    const free = replica.fillDisk?.()
    return async () => free?.()
  },
}

describe('faults of replicas', { skip: requiredPostgres() }, () => {
  let world: ReplicaWorld
  let round = 1
  before(async () => {
    world = await openReplicaWorld(isWhole ? 3 : 1)
    await world.declare(round)
    // clocks are apart by a quarter of an hour from the beginning
    await Promise.all(
      world.replicas.map((replica, at) => replica.start([0, minutes, -minutes][at])),
    )
    await world.converge(round)
  })
  after(() => world?.close())

  test(`${rounds} rounds of harm with seed ${seed}`, async () => {
    const random = randomFrom(seed)
    for (let count = 0; count < rounds; count += 1) {
      round += 1
      await world.declare(round)
      // at most two of three: one is left that can do the work
      const victims = shuffled(random, world.replicas).slice(0, 1 + Math.floor(random() * 2))
      const done = (await Promise.all(victims.map((victim) => harmed(victim, random)))).flat()
      await world.converge(round).catch((thrown: unknown) => {
        throw new Error(`seed ${seed}, round ${round}, ${done.join(' and ')}: ${String(thrown)}`)
      })
      for (const sort of done) tally.converged(sort)
    }
  })

  // a minute is too long for every run of all tests
  const seconds = isWhole ? 60 : 12
  test(`PostgreSQL is away for ${seconds} s while runs go on`, async () => {
    tally.tried('PostgreSQL away')
    round += 1
    await world.declare(round)
    await world.begins()
    await world.postgres.stop()
    await world.untilAllRefuse()
    const before = await world.seen()
    // what comes meanwhile is for later
    round += 1
    await world.declare(round)
    await setTimeout(seconds * 1_000)
    assert.deepEqual(await world.seen(), before)
    await world.postgres.start()
    await world.converge(round)
    tally.converged('PostgreSQL away')
  })

  /** Everything is drawn before the first wait: the same seed does the same. */
  async function harmed(victim: Replica, random: Random): Promise<readonly string[]> {
    const sort = pick(
      random,
      Object.keys(harms).filter((one) => isPossible(victim, one)),
    )
    const wait = Math.floor(random() * 3_000)
    const [least, most] = pick(random, [brief, long])
    const lasts = least + Math.floor(random() * (most - least))
    const clock = pick(random, [0, minutes, -minutes])
    const isShifted = clock !== 0 && (sort === 'SIGKILL' || sort === 'SIGTERM')
    const sorts = isShifted ? [sort, 'clocks apart'] : [sort]
    for (const one of sorts) tally.tried(one)
    await setTimeout(wait)
    const makeGood = await harms[sort]?.(victim, clock)
    await setTimeout(lasts)
    await makeGood?.()
    return sorts
  }
})

function isPossible({ cable, fillDisk }: Replica, sort: string): boolean {
  if (sort === 'full disk') return fillDisk !== undefined
  return sort !== 'partition, cable pulled' || cable !== undefined
}

function pick<One>(random: Random, list: readonly One[]): One {
  const found = list[Math.floor(random() * list.length)]
  if (found === undefined) throw new TypeError('nothing to choose from')
  return found
}

function shuffled<One>(random: Random, list: readonly One[]): readonly One[] {
  return list
    .map((one) => [random(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one)
}

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(start: number): Random {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
