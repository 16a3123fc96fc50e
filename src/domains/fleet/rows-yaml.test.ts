import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeclaredCluster } from '#model/clusters.ts'
import { declaredIn, declaredText } from './rows-yaml.ts'
import { withValues } from './set-values.ts'

const dev: DeclaredCluster = {
  name: 'dev',
  provider: 'kind',
  desired: 'present',
  subnet: null,
  nodePort: 30_080,
  pfPort: 19_001,
  httpPort: 18_090,
  httpsPort: null,
  registrations: { route: true, portainer: true, argocd: true, git: false },
  settings: { version: '1.31.12', servers: 3, config: { nodes: [{ role: 'worker' }], a: 'no' } },
}
const old: DeclaredCluster = {
  ...dev,
  name: 'old',
  provider: 'k3d',
  desired: 'absent',
  subnet: '10.101.0.0/16',
  settings: {},
}

test('what is exported is imported as it was, byte for byte', () => {
  const text = declaredText([old, dev])
  const read = declaredIn(text, 'fleet.clusters.yaml')
  assert.deepEqual(read.problems, [])
  assert.deepEqual(read.clusters, [dev, old])
  assert.equal(declaredText(read.clusters), text)
})

test('what is wrong with a file is told at its place, all of it', () => {
  const text = 'clusters:\n  dev:\n    provider: kind\n    http_port: many\n    colour: red\n'
  const { problems } = declaredIn(text, 'f.yaml')
  assert.deepEqual(new Set(problems.map(({ at }) => at?.line)), new Set([4, 5]))
})

test('values are set by key, and an empty one takes back what was set', () => {
  const set = withValues(dev, [
    'http_port=20001',
    'route=off',
    'image=kindest/node:v1.32.0',
    'agents=2',
    'config.networking.disableDefaultCNI=true',
    'config.a=',
    'version=',
  ])
  assert.deepEqual(
    [set.httpPort, set.registrations.route, set.settings],
    [
      20_001,
      false,
      {
        version: undefined,
        servers: 3,
        image: 'kindest/node:v1.32.0',
        agents: 2,
        config: { nodes: [{ role: 'worker' }], networking: { disableDefaultCNI: true } },
      },
    ],
  )
  assert.throws(() => withValues(dev, ['colour=red']), /colour can't be set/)
  assert.throws(() => withValues(dev, ['http_port=many']), /is no port/)
})
