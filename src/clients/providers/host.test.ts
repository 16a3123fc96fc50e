import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portsFrom } from './host.ts'

test('a port is given once, also when it is free again before its holder has taken it', async () => {
  const offers = [
    [1, 2],
    [3, 2],
    [3, 4],
  ]
  const ports = portsFrom(async () => offers.shift() ?? [])
  assert.deepEqual(await ports(2), [1, 2])
  assert.deepEqual(await ports(2), [3, 4])
})
