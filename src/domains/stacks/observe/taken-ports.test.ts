/** Whose port it is: that of a container of this engine is never told as another's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOfThisEngine } from './taken-ports.ts'

const network = {
  id: 'n',
  name: 'web_default',
  driver: 'bridge',
  labels: {},
  isInternal: false,
}
const lists = {
  networks: [
    { ...network, subnets: [{ subnet: '10.221.15.0/24', gateway: '10.221.15.1' }] },
    { ...network, subnets: [{ subnet: 'fd00:1::/64', gateway: 'fd00:1::1' }] },
    { ...network, subnets: [{ subnet: '', gateway: '' }] },
  ],
  containers: [],
}

function held(name: string, container: string | undefined): boolean {
  return isOfThisEngine({ name, pid: 1, container }, lists)
}

test('a forwarder for an address in one of its networks is its own', () => {
  assert.equal(held('docker-proxy', '10.221.15.2'), true)
  assert.equal(held('docker-proxy', 'fd00:1::2'), true)
})

test('any other forwarder, process or container is not', () => {
  assert.equal(held('docker-proxy', '10.221.16.2'), false)
  assert.equal(held('docker-proxy', undefined), false)
  assert.equal(held('nginx', '10.221.15.2'), false)
  assert.equal(held('conmon', 'web'), false)
})
