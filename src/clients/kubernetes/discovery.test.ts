import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kubernetes } from './client.ts'
import { discoveryOf } from './discovery.ts'

const { signal } = new AbortController()

test('what a definition brought counts among all kinds before the cluster lists it', async () => {
  const body = { kind: 'APIGroupDiscoveryList', items: [] }
  const ask = async () => ({ status: 200, headers: {}, body })
  const discovery = discoveryOf({ ask } as unknown as Kubernetes)
  discovery.learn({
    spec: {
      group: 'example.com',
      names: { kind: 'Thing', plural: 'things' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true }],
    },
  })
  const kinds = (await discovery.preferred(signal)).map(({ kind, group }) => `${kind}.${group}`)
  assert.deepEqual(kinds, ['Thing.example.com'])
})
