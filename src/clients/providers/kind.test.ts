import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindConfig } from './kind.ts'

test('the configuration has the ports of the row and no others', () => {
  const shape = {
    name: 'dev',
    image: null,
    httpPort: 18090,
    httpsPort: null,
    subnet: null,
    servers: 1,
    agents: 0,
    apiAddress: '0.0.0.0',
    config: {},
  }
  const mapping = { containerPort: 80, hostPort: 18090, listenAddress: '0.0.0.0', protocol: 'TCP' }
  const config = kindConfig(shape, '0.0.0.0')
  assert.deepEqual(config['nodes'], [{ role: 'control-plane', extraPortMappings: [mapping] }])
  assert.deepEqual(config['networking'], { apiServerAddress: '0.0.0.0' })
})
