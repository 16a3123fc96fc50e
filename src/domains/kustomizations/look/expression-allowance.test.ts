import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../../../test/testbed/manual-clock.ts'
import { withAllowance } from './expression-allowance.ts'
import { healthOf } from './health.ts'

test('a namespace whose expressions cost too much waits for the next minute; others do not', () => {
  const costly = (namespace: string, now: number) =>
    withAllowance(namespace, now, (budget) => (budget.left -= 100_000))
  for (let i = 0; i < 50; i += 1) costly('hostile', 1_000)
  assert.throws(() => costly('hostile', 31_000), /namespace hostile cost too much.*in 30 s/)
  costly('good', 31_000)
  costly('hostile', 61_000)
})

test('a health expression that never ends says so, and is waiting', () => {
  const nested = (depth: number): string =>
    depth === 0 ? 'false' : `[1,1,1,1,1,1,1,1,1,1].exists(x, ${nested(depth - 1)})`
  const about = { apiVersion: 'v1', kind: 'ConfigMap' }
  const site = {
    clock: manualClock(),
    owner: { namespace: 'nested', name: 'set' },
    options: { healthCheckExprs: [{ ...about, current: nested(9) }] },
  }
  const object = { ...about, metadata: { name: 'a', namespace: 'nested' } }
  const look = healthOf(site, object)
  assert.equal(look.state, 'waiting')
  assert.match(look.message ?? '', /^current: 1:\d+: this costs more/)
  const begun = process.cpuUsage()
  for (let i = 0; i < 10_000; i += 1) healthOf(site, object)
  const { user, system } = process.cpuUsage(begun)
  assert.match(healthOf(site, object).message ?? '', /namespace nested cost too much/)
  assert.ok(user + system < 15_000_000, `${user + system} µs`)
})
