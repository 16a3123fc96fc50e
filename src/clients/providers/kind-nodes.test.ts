import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindClustersIn } from './kind-nodes.ts'

function node(cluster: string, role: string, state: string, more = {}) {
  const labels = { 'io.x-k8s.kind.cluster': cluster, 'io.x-k8s.kind.role': role }
  return {
    Id: `id-of-${cluster}-${role}`,
    Name: `/${cluster}-${role}`,
    State: { Status: state },
    Config: { Labels: labels, Image: 'kindest/node:v1.31.12' },
    HostConfig: { PortBindings: {} },
    ...more,
  }
}

test('a cluster runs when all its nodes do', () => {
  const all = kindClustersIn([
    node('dev', 'control-plane', 'running'),
    node('uat', 'control-plane', 'running'),
    node('uat', 'worker', 'exited'),
    node('old', 'control-plane', 'created'),
  ])
  const running = [...all].map(([name, { isRunning }]) => [name, isRunning])
  assert.deepEqual(running, [
    ['dev', true],
    ['uat', false],
    ['old', false],
  ])
})

test('ports, image, nodes and what tells it from others are those of its containers, also while it is stopped', () => {
  const PortBindings = {
    '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '18090' }],
    '6443/tcp': [{ HostIp: '0.0.0.0', HostPort: '40000' }],
  }
  const all = kindClustersIn([
    node('dev', 'control-plane', 'exited', { HostConfig: { PortBindings } }),
    node('dev', 'worker', 'exited'),
  ])
  assert.deepEqual(all.get('dev'), {
    isRunning: false,
    serverIp: undefined,
    identity: 'node:id-of-dev-control-plane',
    facts: {
      httpPort: 18_090,
      httpsPort: null,
      servers: 1,
      agents: 1,
      apiAddress: '0.0.0.0',
      image: 'kindest/node:v1.31.12',
    },
  })
  const without = kindClustersIn([node('dev', 'worker', 'running')])
  assert.equal(without.get('dev')?.missingPart, 'its control plane')
})
