import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ask, Kubernetes, KubernetesAnswer } from './client.ts'
import type { ApiKind } from './discovery.ts'
import { listObjects } from './list.ts'

const maps: ApiKind = {
  apiVersion: 'v1',
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  isNamespaced: true,
  verbs: ['list'],
  subresources: [],
}

function answering(statuses: readonly number[]) {
  const queries: Ask['query'][] = []
  const never = () => {
    throw new TypeError('nobody asks for this')
  }
  const kubernetes: Kubernetes = {
    server: '',
    namespace: 'default',
    as: never,
    stream: never,
    close: () => undefined,
    async ask(_method, _path, { query }): Promise<KubernetesAnswer> {
      const status = statuses[queries.length] ?? 200
      queries.push(query)
      return { status, headers: {}, body: { metadata: { resourceVersion: '8' }, items: [] } }
    },
  }
  return { kubernetes, queries }
}

test('what the server has at hand is asked for whole, not older than what is known', async () => {
  const { kubernetes, queries } = answering([])
  const { signal } = new AbortController()
  await listObjects(kubernetes, maps, { labels: 'a=b', notOlderThan: 7 }, signal)
  assert.deepEqual(
    queries.map((query) => [query?.['resourceVersion'], query?.['limit']]),
    [[7, undefined]],
  )
  await listObjects(kubernetes, maps, { notOlderThan: 0 }, signal)
  assert.deepEqual([queries[1]?.['resourceVersion'], queries[1]?.['limit']], [undefined, 500])
})

test('a server that was put back to an older state is asked for what it has', async () => {
  const { kubernetes, queries } = answering([504])
  const { signal } = new AbortController()
  const { resourceVersion } = await listObjects(kubernetes, maps, { notOlderThan: 7 }, signal)
  assert.equal(resourceVersion, '8')
  assert.deepEqual(
    queries.map((query) => query?.['resourceVersion']),
    [7, undefined],
  )
})
