/** Addresses and subnets, both kinds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, isInside, startOf, subnetOf } from './addresses.ts'

test('what is an address', () => {
  for (const text of ['0.0.0.0', '255.255.255.255', '::', '::1', 'fd00::a:1', '1:2:3:4:5:6:7:8']) {
    assert.ok(addressOf(text), text)
  }
  for (const text of [
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    'g::',
  ]) {
    assert.equal(addressOf(text), undefined, text)
  }
})

test('what is a subnet, where it begins, what is inside', () => {
  const pairs = [
    ['172.20.5.1/16', '172.20.0.0/16', '172.20.255.1', '172.21.0.1'],
    ['10.0.0.255/25', '10.0.0.128/25', '10.0.0.200', '10.0.0.1'],
    ['fd00:1::5/64', 'fd00:1::/64', 'fd00:1::ffff', 'fd00:2::1'],
    ['0.0.0.0/0', '0.0.0.0/0', '9.9.9.9', '::1'],
  ] as const
  for (const [text, start, inside, outside] of pairs) {
    const subnet = subnetOf(text)
    assert.ok(subnet)
    assert.equal(startOf(subnet), start)
    assert.equal(isInside(addressOf(inside)!, subnet), true)
    assert.equal(isInside(addressOf(outside)!, subnet), false)
  }
  for (const text of ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/', '/8', 'x/8', 'fd00::/129']) {
    assert.equal(subnetOf(text), undefined, text)
  }
})
