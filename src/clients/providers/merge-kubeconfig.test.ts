import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse, stringify } from 'yaml'
import { mergedKubeconfig } from './merge-kubeconfig.ts'

function own(server: string): string {
  return stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'x', user: 'y' } }],
    clusters: [{ name: 'x', cluster: { server } }],
    users: [{ name: 'y', user: { token: server } }],
  })
}

test('clusters get the contexts of kind and k3d, what is there stays, and doing it again changes nothing', () => {
  const mine = stringify({
    'current-context': 'work',
    contexts: [{ name: 'work', context: { cluster: 'work', user: 'me' } }],
    clusters: [{ name: 'work', cluster: { server: 'https://work' } }],
    users: [{ name: 'me', user: {} }],
  })
  const fleet = [
    { name: 'dev', provider: 'kind', text: own('https://127.0.0.1:1') },
    { name: 'uat', provider: 'k3d', text: own('https://127.0.0.1:2') },
  ]
  const merged = mergedKubeconfig(mine, fleet)
  const config = parse(merged)
  assert.deepEqual(
    config.contexts.map((one: { name: string }) => one.name),
    ['work', 'kind-dev', 'k3d-uat'],
  )
  assert.deepEqual(config.contexts[2].context, { cluster: 'k3d-uat', user: 'admin@k3d-uat' })
  assert.equal(config.clusters[1].cluster.server, 'https://127.0.0.1:1')
  assert.equal(config['current-context'], 'work')
  assert.equal(mergedKubeconfig(merged, fleet), merged)
  assert.equal(parse(mergedKubeconfig('', fleet))['current-context'], 'kind-dev')
})

test('a name that Go would read as yes, no or a number stays a text', () => {
  const names = ['y', 'off', 'No', '1_000', '0o17', '1:20', '2026-11-18']
  const mine = JSON.stringify({
    contexts: names.map((user) => ({ name: user, context: { cluster: 'work', user } })),
  })
  const merged = mergedKubeconfig(mine, [])
  for (const version of ['1.1', '1.2'] as const) {
    const { contexts } = parse(merged, { version })
    assert.deepEqual(
      contexts.map((one: { context: { user: unknown } }) => one.context.user),
      names,
    )
  }
})
