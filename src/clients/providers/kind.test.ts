import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindConfig, runningIn } from './kind.ts'

test('a cluster is running when all its nodes are', () => {
  const running = runningIn('dev running\nuat running\nuat exited\n\nold created\n')
  assert.deepEqual(
    [...running],
    [
      ['dev', true],
      ['uat', false],
      ['old', false],
    ],
  )
})

test('the configuration has the ports of the row and no others', () => {
  const shape = { name: 'dev', image: null, httpPort: 18090, httpsPort: null, subnet: null }
  const mapping = { containerPort: 80, hostPort: 18090, listenAddress: '0.0.0.0', protocol: 'TCP' }
  assert.deepEqual(kindConfig(shape, '0.0.0.0')['nodes'], [
    { role: 'control-plane', extraPortMappings: [mapping] },
  ])
})
