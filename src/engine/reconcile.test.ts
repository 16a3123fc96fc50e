/** The whole road on a fake world: order, once each, failures contained, the way back, convergence after anything. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Event } from '#model/event.ts'
import type { Need, Resource } from '#model/resource.ts'
import { endOf, freshMemory, resource, runOn } from '../../test/fake/run.ts'
import { fakeWorld, Killed, type Fault, type World } from '../../test/fake/world.ts'

/** Resource n needs only earlier ones: no cycles. `bad` ones never become healthy. */
type Shape = readonly { readonly needs: readonly number[]; readonly value: number }[]

const shapes = fc.array(
  fc.record({ needs: fc.array(fc.nat(8), { maxLength: 3 }), value: fc.nat(2) }),
  { minLength: 1, maxLength: 8 },
)

function resourcesOf(shape: Shape, bad: ReadonlySet<number> = new Set()): Resource[] {
  return shape.map(({ needs, value }, index) => {
    const before = [...new Set(needs.filter((need) => need >= 0 && need < index))]
    const spec = bad.has(index) ? { value, isUnhealthy: true } : { value }
    const until = 'exists' as const
    return resource(
      `thing/${index}`,
      spec,
      before.map((need) => ({ ref: `thing/${need}`, until, renew: false })),
    )
  })
}

function stateOf(world: World): unknown {
  return [...world.things]
    .map(([object, { spec, state }]) => ({ object, spec, state }))
    .toSorted((a, b) => (a.object < b.object ? -1 : 1))
}

function specsOf(world: World): readonly unknown[] {
  const things = [...world.things.values()].toSorted((a, b) => (a.ref < b.ref ? -1 : 1))
  return things.map(({ spec }) => spec)
}

async function installed(shape: Shape): Promise<World> {
  const world = fakeWorld()
  assert.equal(endOf(await runOn(world, resourcesOf(shape))).outcome, 'succeeded')
  return world
}

function began(events: readonly Event[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'operation' && event.phase === 'began' ? [`${event.ref} ${event.id}`] : [],
  )
}

function madeAt(events: readonly Event[], ref: string): number {
  return events.findLastIndex(
    (event) =>
      event.type === 'operation' &&
      event.ref === ref &&
      event.part === 'make' &&
      event.phase === 'done',
  )
}

test('order is respected, each operation runs once, and then there is nothing to do', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, shapes, async (before, after) => {
      const world = await installed(before)
      const events = await runOn(world, resourcesOf(after))
      assert.equal(endOf(events).outcome, 'succeeded')
      const calls = began(events)
      assert.equal(new Set(calls).size, calls.length)
      for (const { ref, needs } of resourcesOf(after)) {
        const first = events.findIndex(
          (event) => event.type === 'operation' && event.ref === ref && event.part === 'make',
        )
        if (first < 0) continue
        for (const need of needs) assert.ok(madeAt(events, need.ref) < first)
      }
      const again = await runOn(world, resourcesOf(after))
      assert.deepEqual(began(again), [])
      assert.equal(endOf(again).summary.unchanged, after.length)
      assert.equal(world.things.size, after.length)
    }),
    { numRuns: 150 },
  )
})

test('an upgrade that is not healthy goes back to exactly what ran', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, shapes, fc.nat(7), async (before, after, bad) => {
      fc.pre(bad < after.length)
      const world = await installed(before)
      const old = stateOf(world)
      const events = await runOn(world, resourcesOf(after, new Set([bad])))
      assert.equal(endOf(events).outcome, 'failed')
      assert.equal(endOf(events).isRolledBack, true)
      assert.deepEqual(stateOf(world), old)
    }),
    { numRuns: 150 },
  )
})

test('a first install keeps what succeeded and holds back only dependents of what failed', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, fc.nat(7), async (shape, bad) => {
      fc.pre(bad < shape.length)
      const world = fakeWorld()
      const resources = resourcesOf(shape, new Set([bad])).map((one) => ({
        ...one,
        needs: one.needs.map((need) => ({ ...need, until: 'healthy' as const })),
      }))
      const events = await runOn(world, resources)
      const lost = new Set([`thing/${bad}`])
      for (const { ref, needs } of resources) {
        if (needs.some((need) => lost.has(need.ref))) lost.add(ref)
      }
      const { summary } = endOf(events)
      assert.equal(summary.created, shape.length - lost.size)
      assert.equal(summary.failed, 1)
      assert.equal(summary.skipped, lost.size - 1)
    }),
    { numRuns: 100 },
  )
})

const faults: readonly Fault[] = ['permanent', 'transient', 'cut before', 'cut after', 'kill']

test('whatever call fails in whatever way, the state is all new or all old, and a plain run converges', async () => {
  await fc.assert(
    fc.asyncProperty(
      shapes,
      shapes,
      fc.nat(40),
      fc.constantFrom(...faults),
      async (before, after, call, fault) => {
        const world = await installed(before)
        const old = stateOf(world)
        world.calls.length = 0
        world.fault = { call, fault }
        const events = await runOn(world, resourcesOf(after))
        const { outcome, isRolledBack } = endOf(events)
        if (isRolledBack) assert.deepEqual(stateOf(world), old)
        if (fault === 'transient' || fault === 'cut after' || fault === 'cut before') {
          assert.equal(outcome, 'succeeded')
        }
        world.fault = undefined
        const memory = freshMemory()
        const next = await runOn(world, resourcesOf(after), { memory })
        assert.equal(endOf(next).outcome, 'succeeded')
        assert.deepEqual(began(await runOn(world, resourcesOf(after), { memory })), [])
        assert.equal(world.things.size, after.length)
      },
    ),
    { numRuns: 300 },
  )
})

test('a killed process leaves a world from which the next run converges', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, shapes, fc.nat(40), async (before, after, call) => {
      const world = await installed(before)
      world.calls.length = 0
      let isDead = false
      const dead = new Promise<never>(() => undefined)
      const mortal: World = {
        ...world,
        target: {
          ...world.target,
          async operate(operation, context) {
            if (world.calls.length >= call) isDead = true
            if (isDead) return dead
            return world.target.operate(operation, context)
          },
        },
      }
      await Promise.race([runOn(mortal, resourcesOf(after)), until(() => isDead)])
      const next = await runOn(world, resourcesOf(after))
      assert.equal(endOf(next).outcome, 'succeeded')
      assert.equal(world.things.size, after.length)
      assert.ok([...world.things.values()].every(({ state }) => state === 'running'))
    }),
    { numRuns: 150 },
  )
})

async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !isSo(); turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('an interrupt ends the calls under way, puts an upgrade back, and says so', async () => {
  const shape = [0, 1, 2, 3].map((value) => ({ needs: [value - 1], value }))
  const world = await installed(shape)
  const old = stateOf(world)
  const stop = new AbortController()
  const changed = shape.map(({ needs, value }) => ({ needs, value: value + 10 }))
  const events = await runOn(world, resourcesOf(changed), {
    signal: stop.signal,
    onEvent: (event) => {
      if (event.type === 'operation' && event.words.startsWith('stop')) stop.abort()
    },
  })
  assert.equal(endOf(events).outcome, 'interrupted')
  assert.deepEqual(stateOf(world), old)
  const open = events.filter((event) => event.type === 'operation' && event.phase === 'began')
  const closed = events.filter(
    (event) => event.type === 'operation' && (event.phase === 'done' || event.phase === 'failed'),
  )
  assert.equal(open.length, closed.length)
})

test('an interrupt while it waits for health is no success', async () => {
  for (const world of [fakeWorld(), await installed([{ needs: [], value: 0 }])]) {
    const isFirst = world.things.size === 0
    const look = () => Promise.resolve({ state: 'waiting', message: 'not yet' } as const)
    const slow: World = { ...world, target: { ...world.target, look } }
    const stop = new AbortController()
    const events = await runOn(slow, resourcesOf([{ needs: [], value: 1 }]), {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === 'group' && event.phase === 'waiting') stop.abort()
      },
    })
    const { outcome, isRolledBack } = endOf(events)
    assert.deepEqual([outcome, isRolledBack], ['interrupted', !isFirst])
  }
})

test('nothing is taken away when something else could not be prepared', async () => {
  const world = await installed([
    { needs: [], value: 0 },
    { needs: [], value: 0 },
  ])
  world.calls.length = 0
  const picky: World = {
    ...world,
    target: {
      ...world.target,
      operate(operation, context) {
        if (operation.id === 'rehearse thing/1') throw new Killed('no such image')
        return world.target.operate(operation, context)
      },
    },
  }
  const events = await runOn(
    picky,
    resourcesOf([
      { needs: [], value: 1 },
      { needs: [], value: 1 },
    ]),
  )
  assert.equal(endOf(events).outcome, 'failed')
  assert.ok(!world.calls.some(({ verb }) => verb === 'stop'))
})

test('what all can do without takes nothing back when it fails', async () => {
  const world = fakeWorld()
  const waits = { ref: 'thing/0', until: 'healthy', renew: false } as const
  const wanted = (value: number, needs: readonly Need[]) => [
    resource('thing/0', { value, ...(value > 1 ? { isUnhealthy: true } : {}) }, []),
    resource('thing/1', { value }, [{ ...waits, isOptional: true }]),
    resource('thing/2', { value }, needs),
  ]
  await runOn(world, wanted(1, []))
  const loose = await runOn(world, wanted(2, []))
  assert.equal(endOf(loose).outcome, 'failed')
  assert.equal(endOf(loose).isRolledBack, false)
  const mixed = [{ value: 1 }, { value: 2 }, { value: 2 }]
  assert.deepEqual(specsOf(world), mixed)
  const strict = await runOn(world, wanted(3, [waits]))
  assert.equal(endOf(strict).isRolledBack, true)
  assert.deepEqual(specsOf(world), mixed)
})

test('what is optional is waited for, and gone on without when it fails', async () => {
  const world = fakeWorld()
  const waits = { ref: 'thing/0', until: 'healthy', renew: false } as const
  const events = await runOn(world, [
    resource('thing/0', { value: 1, isUnhealthy: true }, []),
    resource('thing/1', { value: 1 }, [{ ...waits, isOptional: true }]),
    resource('thing/2', { value: 1 }, [waits]),
  ])
  assert.equal(endOf(events).outcome, 'failed')
  const phases = events.flatMap((event) =>
    event.type === 'group' && event.phase !== 'began' ? [`${event.ref} ${event.phase}`] : [],
  )
  assert.ok(phases.includes('thing/1 done'), phases.join(', '))
  assert.ok(phases.includes('thing/2 skipped'), phases.join(', '))
  const failed = phases.indexOf('thing/0 failed')
  assert.ok(failed >= 0 && failed < phases.indexOf('thing/1 passed'))
})
