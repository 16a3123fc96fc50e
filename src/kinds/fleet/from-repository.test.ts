import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declaredIn } from '#domains/fleet/rows-yaml.ts'
import { repositoryFaults } from './from-repository.ts'

function faultsIn(text: string): readonly string[] {
  const { clusters, problems } = declaredIn(text, 'clusters.yaml')
  assert.deepEqual(problems, [])
  return repositoryFaults(clusters, 'clusters.yaml').map(({ message }) => message)
}

test('a repository says neither what reaches the host nor leaves ports open', () => {
  const good = 'clusters: { a: { provider: k3d, http_port: 1, https_port: none, version: "1.31" } }'
  assert.deepEqual(faultsIn(good), [])
  assert.deepEqual(faultsIn('clusters: { a: { provider: existing } }'), [])
  assert.deepEqual(
    faultsIn('clusters: { a: { provider: kind, https_port: 2, apiAddress: 0.0.0.0, config: {} } }'),
    [
      'a: config reaches this host, and a repository may not say it',
      'a: apiAddress reaches this host, and a repository may not say it',
      'a: http_port is not said',
    ],
  )
  assert.deepEqual(faultsIn('clusters: { devops: { provider: existing } }'), [
    'devops: a fleet never makes the management cluster',
  ])
})
