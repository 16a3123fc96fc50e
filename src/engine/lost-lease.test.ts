/** A run that lost the right to change its application changes nothing more, not even to go back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#model/problem.ts'
import { memoryLeases, memoryStore } from '#store/memory.ts'
import { endOf, resource, runOn } from '../../test/fake/run.ts'
import { fakeWorld, type World } from '../../test/fake/world.ts'

const [first, second] = ['1', '2'].map((spec) =>
  ['one', 'two', 'three', 'four'].map((name) => resource(`thing/${name}`, { spec })),
)

/** An upgrade that is taken over after its third call: how many calls were made by then, and in the end. */
async function takenOver(take: (memory: ReturnType<typeof memoryOf>) => void, world: World) {
  const memory = memoryOf()
  await runOn(world, first ?? [], { memory })
  const before = world.calls.length
  let atTheMoment: number | undefined
  const events = await runOn(world, second ?? [], {
    memory,
    options: { concurrency: 1 },
    onEvent(event) {
      if (event.type !== 'operation' || event.phase !== 'done') return
      if (atTheMoment !== undefined || world.calls.length < before + 3) return
      atTheMoment = world.calls.length
      take(memory)
    },
  })
  return { events, atTheMoment, inTheEnd: world.calls.length }
}

function memoryOf() {
  return { store: memoryStore(), leases: memoryLeases(() => 0) }
}

test('a lease that is lost in the middle ends the run without another call', async () => {
  const world = fakeWorld()
  const { events, atTheMoment, inTheEnd } = await takenOver(
    ({ leases }) => leases.seize('chart:app'),
    world,
  )
  assert.notEqual(atTheMoment, undefined)
  // the one call that was under way may have got through
  assert.ok(inTheEnd <= (atTheMoment ?? 0) + 1, `${inTheEnd - (atTheMoment ?? 0)} calls after it`)
  assert.notEqual(endOf(events).outcome, 'succeeded')
  assert.equal(endOf(events).isRolledBack, false)
})

test('a journal that refuses what comes from the past ends the run without another call', async () => {
  const world = fakeWorld()
  const { events, atTheMoment, inTheEnd } = await takenOver(({ store }) => {
    const message = 'run 2 of chart:app was taken over'
    store.append = async () => {
      throw new Problem({ type: 'runtime', code: 'held', message })
    }
  }, world)
  assert.notEqual(atTheMoment, undefined)
  assert.ok(inTheEnd <= (atTheMoment ?? 0) + 1, `${inTheEnd - (atTheMoment ?? 0)} calls after it`)
  assert.notEqual(endOf(events).outcome, 'succeeded')
})
