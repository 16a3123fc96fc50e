import assert from 'node:assert/strict'
import { test } from 'node:test'
import { k3dConfig } from './k3d.ts'
import { kindConfig } from './kind.ts'
import { mergedOver } from './merged.ts'
import type { ClusterShape } from './provider.ts'

const shape: ClusterShape = {
  name: 'dev',
  image: null,
  httpPort: 18_090,
  httpsPort: 18_443,
  subnet: null,
  servers: 1,
  agents: 0,
  apiAddress: '127.0.0.1',
  config: {},
}

test("kind: a list of nodes adds to the row's ports and never replaces them", () => {
  const nodes = [
    { role: 'worker' },
    { role: 'control-plane', extraPortMappings: [{ containerPort: 9000, hostPort: 19_000 }] },
  ]
  const merged = kindConfig({ ...shape, agents: 1, config: { nodes } }, '127.0.0.1')
  assert.deepEqual(merged['nodes'], [
    {
      role: 'control-plane',
      extraPortMappings: [
        { containerPort: 80, hostPort: 18_090, listenAddress: '127.0.0.1', protocol: 'TCP' },
        { containerPort: 443, hostPort: 18_443, listenAddress: '127.0.0.1', protocol: 'TCP' },
        { containerPort: 9000, hostPort: 19_000 },
      ],
    },
    { role: 'worker' },
  ])
})

test("kind: another host port for the row's is refused by name", () => {
  const nodes = [
    { role: 'control-plane', extraPortMappings: [{ containerPort: 80, hostPort: 9090 }] },
  ]
  assert.throws(
    () => kindConfig({ ...shape, config: { nodes } }, '127.0.0.1'),
    /http_port 18090.*port 80 to 9090/,
  )
})

test("k3d: ports are added to the row's, and another host port for the row's is refused", () => {
  const ports = [{ port: '19000:9000', nodeFilters: ['loadbalancer'] }]
  const merged = k3dConfig({ ...shape, config: { ports } }, '127.0.0.1')
  assert.deepEqual(merged['ports'], [
    { port: '127.0.0.1:18090:80', nodeFilters: ['loadbalancer'] },
    { port: '127.0.0.1:18443:443', nodeFilters: ['loadbalancer'] },
    { port: '19000:9000', nodeFilters: ['loadbalancer'] },
  ])
  const other = [{ port: '9443:443', nodeFilters: ['loadbalancer'] }]
  assert.throws(
    () => k3dConfig({ ...shape, config: { ports: other } }, '127.0.0.1'),
    /https_port 18443.*port 443 to 9443/,
  )
})

test('maps are merged field by field, lists without a key as a whole', () => {
  const base = { networking: { apiServerAddress: '127.0.0.1' }, patches: ['a'] }
  const over = { networking: { disableDefaultCNI: true }, patches: ['b'] }
  assert.deepEqual(mergedOver(base, over), {
    networking: { apiServerAddress: '127.0.0.1', disableDefaultCNI: true },
    patches: ['b'],
  })
})
