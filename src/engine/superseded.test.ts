/** A run whose waiting is over because something newer is to be applied: nothing is cut off, nothing goes back, and the next run converges. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '#model/event.ts'
import type { Look } from '#model/domain.ts'
import type { Need } from '#model/resource.ts'
import { endOf, freshMemory, resource, runOn } from '../../test/fake/run.ts'
import { fakeWorld, type World } from '../../test/fake/world.ts'

const waiting: Look = { state: 'waiting', message: 'not yet' }

/** Looks at these never come to an end. */
function slowWorld(world: World, refs: readonly string[]): World {
  const look: World['target']['look'] = async (ref, ...more) =>
    refs.includes(ref) ? waiting : world.target.look(ref, ...more)
  return { ...world, target: { ...world.target, look } }
}

function wanted(value: number, needs: readonly Need[] = []) {
  return [
    resource('thing/db', { value }),
    resource('thing/web', { value }, needs),
    resource('thing/other', { value }),
  ]
}

function specsOf(world: World): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...world.things].map(([name, { spec }]) => [name, spec]))
}

function groupsOf(events: readonly Event[], phase: string): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'group' && event.phase === phase
      ? [`${event.ref}: ${event.problem?.message ?? ''}`]
      : [],
  )
}

const healthy = { ref: 'thing/db', until: 'healthy', renew: false } as const

async function superseded(
  world: World,
  needs: readonly Need[] = [],
  memory = freshMemory(),
): Promise<readonly Event[]> {
  const newer = new AbortController()
  return runOn(slowWorld(world, ['thing/db']), wanted(2, needs), {
    memory,
    request: { superseded: newer.signal },
    onEvent: (event) => {
      if (event.type === 'progress' && event.ref === 'thing/db')
        newer.abort('revision r2 is to be applied')
    },
  })
}

test('the wait ends, what was made stays, and it is recorded as superseded', async () => {
  const world = fakeWorld()
  const memory = freshMemory()
  await runOn(world, [...wanted(1), resource('thing/gone', { value: 1 })], { memory })
  const events = await superseded(world, [], memory)
  const { outcome, isRolledBack } = endOf(events)
  assert.deepEqual([outcome, isRolledBack], ['interrupted', false])
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'problem' ? [event.problem.code] : [])),
    ['superseded'],
  )
  assert.deepEqual(groupsOf(events, 'skipped').toSorted(), [
    'thing/db: made, and not waited for: revision r2 is to be applied',
    'thing/gone: not removed: the run did not succeed',
  ])
  assert.ok(!events.some((event) => event.type === 'operation' && event.part === 'undo'))
  assert.deepEqual(specsOf(world)['thing/db'], { value: 2 })
  assert.ok(world.things.has('thing/gone'))
  const next = await runOn(world, wanted(3), { memory })
  assert.equal(endOf(next).outcome, 'succeeded')
  assert.deepEqual(specsOf(world), {
    'thing/db': { value: 3 },
    'thing/web': { value: 3 },
    'thing/other': { value: 3 },
  })
})

test('what waits for the health of another is not begun, and what does not is made', async () => {
  const world = fakeWorld()
  await runOn(world, wanted(1, [healthy]))
  const events = await superseded(world, [healthy])
  assert.equal(endOf(events).outcome, 'interrupted')
  assert.ok(
    groupsOf(events, 'skipped').includes('thing/web: not begun: revision r2 is to be applied'),
  )
  const { 'thing/web': web, 'thing/other': other } = specsOf(world)
  assert.deepEqual([web, other], [{ value: 1 }, { value: 2 }])
})

test('a job that others wait for is at work, and brought to its end', async () => {
  const world = fakeWorld()
  const needs = [{ ...healthy, until: 'completed' as const }]
  await runOn(world, wanted(1, needs))
  const newer = new AbortController()
  let looks = 0
  const look: World['target']['look'] = async (ref, subject, gate, signal) => {
    if (gate !== 'completed') return world.target.look(ref, subject, gate, signal)
    looks += 1
    if (looks === 1) newer.abort('revision r2 is to be applied')
    return looks < 5 ? waiting : { state: 'ok', message: 'it ended with 0' }
  }
  const slow = { ...world, target: { ...world.target, look } }
  const events = await runOn(slow, wanted(2, needs), { request: { superseded: newer.signal } })
  assert.equal(looks, 5)
  assert.ok(groupsOf(events, 'passed').some((text) => text.startsWith('thing/db')))
  assert.deepEqual(specsOf(world)['thing/web'], { value: 2 })
})

test('what failed before it is a failure, and goes back', async () => {
  const world = fakeWorld()
  await runOn(world, wanted(1))
  const newer = new AbortController()
  const slow = slowWorld(world, ['thing/db'])
  const bad = wanted(2).map((one) =>
    one.ref === 'thing/other' ? resource(one.ref, { value: 2, isUnhealthy: true }) : one,
  )
  const events = await runOn(slow, bad, {
    request: { superseded: newer.signal },
    onEvent: (event) => {
      if (event.type === 'group' && event.phase === 'failed') newer.abort('r2')
    },
  })
  const { outcome, isRolledBack } = endOf(events)
  assert.deepEqual([outcome, isRolledBack], ['failed', true])
  assert.deepEqual(specsOf(world)['thing/other'], { value: 1 })
})
