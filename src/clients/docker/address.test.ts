import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonRecord } from '#model/json.ts'
import { addressAfter } from './address.ts'

const number = (last: number): number => ((172 * 256 + 18) * 256 + 0) * 256 + last

function network(taken: readonly string[], pool: JsonRecord = {}, driver = 'bridge') {
  return {
    Driver: driver,
    IPAM: {
      Driver: 'default',
      Config: [{ Subnet: '172.18.0.0/16', Gateway: '172.18.0.1', ...pool }],
    },
    Containers: Object.fromEntries(
      taken.map((address, index) => [`c${index}`, { IPv4Address: `${address}/16` }]),
    ),
  } as const
}

void test('the first free address, were one given back', () => {
  const three = ['172.18.0.2', '172.18.0.3', '172.18.0.4']
  assert.equal(addressAfter(network(three), '172.18.0.3'), number(3))
  assert.equal(addressAfter(network(['172.18.0.3', '172.18.0.4']), '172.18.0.4'), number(2))
  assert.equal(addressAfter(network(three), '10.0.0.7'), undefined)
  assert.equal(addressAfter(network(three, {}, 'overlay'), '172.18.0.3'), undefined)
})

void test('ranges and addresses that are set aside count', () => {
  const range = { IPRange: '172.18.0.8/30', AuxiliaryAddresses: { router: '172.18.0.8' } }
  assert.equal(addressAfter(network(['172.18.0.9'], range), '172.18.0.9'), number(9))
  assert.equal(addressAfter(network(['172.18.0.10'], range), '172.18.0.10'), number(9))
})
