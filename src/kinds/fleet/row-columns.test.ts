import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeclaredCluster } from '#model/clusters.ts'
import type { JsonRecord } from '#model/json.ts'
import { columnsShown, newCluster, withColumns } from './row-columns.ts'

const dev: DeclaredCluster = {
  name: 'dev',
  provider: 'k3d',
  desired: 'present',
  subnet: null,
  nodePort: 30_080,
  pfPort: 19_001,
  httpPort: 18_090,
  httpsPort: null,
  registrations: { route: true, portainer: true, argocd: true, git: true },
  settings: { config: { registries: { config: 'password: planted' }, nodes: [{ port: 7 }] } },
}

test('what is shown of a row can be sent back, and hides its configuration', () => {
  const shown = columnsShown(dev)
  assert.doesNotMatch(JSON.stringify(shown), /planted/)
  assert.deepEqual(shown['config'], {
    registries: { config: '******' },
    nodes: [{ port: '******' }],
  })
  const again = withColumns(dev, shown)
  assert.deepEqual(columnsShown(again), shown)
  assert.deepEqual(again.settings.config, dev.settings.config)
})

test('what reaches the host is not set from afar', () => {
  const reaching: readonly JsonRecord[] = [
    { config: null },
    { config: { volumes: [{ volume: '/:/host' }] } },
    { 'config.volumes': '[/:/host]' },
    { api_address: '0.0.0.0' },
  ]
  for (const columns of reaching) {
    assert.throws(() => withColumns(dev, columns), /reaches this host/)
    const all = { provider: 'k3d', ...columns }
    if (columns['config'] !== null) assert.throws(() => newCluster('uat', all), /reaches this host/)
  }
})

test('columns are set as tend fleet set sets them, and what is left out stays', () => {
  const changed = withColumns(dev, { http_port: 18_190, route: false, image: 'k3s:1', servers: 3 })
  assert.deepEqual(changed, {
    ...dev,
    httpPort: 18_190,
    registrations: { ...dev.registrations, route: false },
    settings: { ...dev.settings, image: 'k3s:1', servers: 3 },
  })
  assert.equal(withColumns(dev, { http_port: null }).httpPort, null)
  assert.throws(() => withColumns(dev, { http_port: 'x' }), /http_port=x is no port/)
  assert.throws(() => withColumns(dev, { colour: 'blue' }), /colour can't be set/)
  assert.throws(() => withColumns(dev, { provider: 'kind' }), /is made by k3d/)
  assert.throws(() => withColumns(dev, { name: 'uat' }), /keeps its name, dev/)
  assert.throws(() => withColumns(dev, { subnet: ['a'] }), /subnet takes one value/)
})

test('a new row is given what is not said', () => {
  const made = newCluster('uat', { provider: 'kind', https_port: null, version: '1.31.1' })
  assert.equal(made.httpPort, undefined)
  assert.equal(made.httpsPort, null)
  assert.deepEqual(made.settings, { version: '1.31.1' })
  assert.throws(() => newCluster('uat', {}), /needs a provider/)
  assert.throws(() => newCluster('uat', { provider: 'vm' }), /"vm" is not known/)
  assert.throws(() => newCluster('Uat', { provider: 'kind' }), /can't be the name of a cluster/)
  const absent = { provider: 'kind', desired_state: 'absent' }
  assert.throws(() => newCluster('uat', absent), /a new row says present/)
})
