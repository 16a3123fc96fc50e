/** Rows of a list under events: what moves, and what stays while somebody points at it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeService } from '../../../../test/fake/service.ts'
import { overviewOf } from '../../../../src/server/overview/overview.ts'
import { rowsOf } from '../../../../src/server/overview/rows.ts'
import { rowsFrom } from './rows.ts'

const failed = { state: 'failed', reason: 'ended', since: 1, isGivenUp: true } as const

/** A list of three in the order of attention, answered as the service does. */
async function opened() {
  const service = fakeService(['a', 'b', 'c'])
  let answered: () => void = () => undefined
  const rows = rowsFrom(async (query) => {
    setTimeout(() => answered())
    return overviewOf(rowsOf(service).all(), query, () => true)
  })
  const next = () => new Promise<void>((done) => (answered = done))
  const order = () => [0, 1, 2].map((place) => rows.row(place)?.key)
  const loaded = next()
  rows.ask({})
  await loaded
  return {
    rows,
    order,
    next,
    fail: (name: string) => {
      service.set(`stack:${name}`, { health: failed })
      const status = service.apps().find(({ key }) => key === `stack:${name}`)
      assert.ok(status !== undefined)
      rows.take({ type: 'app', status })
    },
  }
}

test('what fails comes first', async () => {
  const { rows, order, next, fail } = await opened()
  const again = next()
  fail('c')
  await again
  assert.deepEqual(order(), ['stack:c', 'stack:a', 'stack:b'])
  rows.stop()
})

test('no row moves while the order is held; it is said, and made good afterwards', async () => {
  const { rows, order, next, fail } = await opened()
  rows.hold(true)
  const again = next()
  fail('c')
  await again
  assert.deepEqual(order(), ['stack:a', 'stack:b', 'stack:c'])
  assert.equal(rows.row(2)?.health.state, 'failed')
  assert.equal(rows.counts.value?.worst?.key, 'stack:c')
  assert.equal(rows.counts.value?.health.failed, 1)
  assert.ok(rows.isOrderOld.value)
  const after = next()
  rows.hold(false)
  await after
  assert.deepEqual(order(), ['stack:c', 'stack:a', 'stack:b'])
  assert.ok(!rows.isOrderOld.value)
  rows.stop()
})

test('another list is shown as it comes, also while the order is held', async () => {
  const { rows, order, next } = await opened()
  rows.hold(true)
  const other = next()
  rows.ask({ search: 'stack:b' })
  await other
  assert.deepEqual(order(), ['stack:b', undefined, undefined])
  assert.equal(rows.listed.value.total, 1)
  rows.stop()
})

test('events that come faster than the service answers do not keep the list empty', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const service = fakeService(['a', 'b', 'c'])
  let asked = 0
  const rows = rowsFrom(async (query, signal) => {
    asked += 1
    await new Promise<void>((done) => setTimeout(done, 1500))
    signal.throwIfAborted()
    return overviewOf(rowsOf(service).all(), query, () => true)
  })
  rows.ask({})
  await pass(10_000)
  assert.equal(rows.row(0)?.key, 'stack:a')
  assert.ok(asked >= 4 && asked <= 8, `asked ${asked} times`)
  rows.stop()

  /** With an event each 200 ms. */
  async function pass(time: number): Promise<void> {
    for (let passed = 0; passed < time; passed += 100) {
      if (passed % 200 === 0) rows.take({ type: 'missed' })
      t.mock.timers.tick(100)
      await new Promise((done) => setImmediate(done))
    }
  }
})
