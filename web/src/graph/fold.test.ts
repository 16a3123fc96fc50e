/** Which nodes of a graph are shown. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Graph, GraphNode } from '#model/api.ts'
import { foldGraph } from './fold.ts'

function node(id: string, more: Partial<GraphNode> = {}): GraphNode {
  const [kind = '', name = ''] = id.split('/')
  return { id, type: 'resource', kind, name, sync: 'synced', reason: '', ...more }
}

test('what is needed stands before what needs it', () => {
  const graph: Graph = {
    nodes: [node('container/web'), node('network/front')],
    edges: [{ from: 'container/web', to: 'network/front', until: 'exists' }],
  }
  assert.deepEqual(foldGraph(graph, new Set()).edges, [
    { from: 'network/front', to: 'container/web', until: 'exists' },
  ])
})

test('a closed node holds all that it made, and opens again', () => {
  const graph: Graph = {
    nodes: [
      node('Deployment/web'),
      node('ReplicaSet/web', { parent: 'Deployment/web' }),
      node('Pod/a', { parent: 'ReplicaSet/web' }),
    ],
    edges: [],
  }
  const closed = foldGraph(graph, new Set(['Deployment/web']))
  assert.deepEqual(
    closed.nodes.map(({ id, inside }) => [id, inside.length]),
    [['Deployment/web', 2]],
  )
  assert.equal(foldGraph(graph, new Set()).nodes.length, 3)
})

test('many alike stand as one, led by the one that is not well', () => {
  const pods = Array.from({ length: 8 }, (_, index) =>
    node(`container/c${index}`, { health: index === 5 ? 'failed' : 'healthy' }),
  )
  const graph: Graph = {
    nodes: [node('network/front'), ...pods],
    edges: pods.map(({ id }) => ({ from: id, to: 'network/front', until: 'exists' as const })),
  }
  const { nodes, edges } = foldGraph(graph, new Set())
  const folded = nodes.find(({ id }) => id.startsWith('fold:'))
  assert.equal(nodes.length, 2)
  assert.equal(edges.length, 1)
  assert.equal(folded?.node.id, 'container/c5')
  assert.equal(folded?.inside.length, 7)
  assert.equal(foldGraph(graph, new Set([folded?.id ?? ''])).nodes.length, 9)
})

test('200 resources are few to look at: what belongs to one alone is inside it, and those alike are one', () => {
  const needs = (from: string, to: string) => ({ from, to, until: 'exists' as const })
  const ways = Array.from({ length: 50 }, (_, index) => index)
  const graph: Graph = {
    nodes: [
      node('Namespace/many'),
      ...ways.flatMap((index) => [
        node(`Deployment/d${index}`),
        node(`Pod/p${index}`, { parent: `Deployment/d${index}` }),
        node(`Volume/v${index}`),
        node(`Service/s${index}`, index === 7 ? { health: 'degraded' } : {}),
      ]),
    ],
    edges: ways.flatMap((index) => [
      needs(`Deployment/d${index}`, 'Namespace/many'),
      needs(`Deployment/d${index}`, `Volume/v${index}`),
      needs(`Service/s${index}`, 'Namespace/many'),
    ]),
  }
  const { nodes, edges } = foldGraph(graph, new Set())
  const seen = nodes.map(({ node: { id }, alike = 1, inside }) => `${id} ${alike} ${inside.length}`)
  assert.deepEqual(seen.toSorted(), [
    'Deployment/d0 50 149',
    'Namespace/many 1 0',
    'Service/s7 50 49',
  ])
  const ids = new Set(nodes.map(({ id }) => id))
  assert.equal(edges.length, 2)
  assert.ok(edges.every(({ from, to }) => ids.has(from) && ids.has(to)))
  // opened, each Deployment still holds its pod and its volume
  const fold = nodes.find(({ node: { id } }) => id === 'Deployment/d0')?.id ?? ''
  const opened = foldGraph(graph, new Set([fold]))
  assert.equal(opened.nodes.length, 52)
  assert.equal(opened.nodes.find(({ id }) => id === 'Deployment/d3')?.inside.length, 2)
})

test('before the first run nothing is there, and the graph is as easy to read', () => {
  const missing = (id: string) => node(id, { sync: 'missing' })
  const volumes = Array.from({ length: 40 }, (_, index) => missing(`volume/v${index}`))
  const graph: Graph = {
    nodes: [missing('container/db'), ...volumes],
    edges: volumes.map(({ id }) => ({ from: 'container/db', to: id, until: 'exists' as const })),
  }
  const { nodes } = foldGraph(graph, new Set())
  assert.deepEqual(
    nodes.map(({ id, inside }) => [id, inside.length]),
    [['container/db', 40]],
  )
})

test('in a large graph one that is not well is never tucked away', () => {
  const volumes = Array.from({ length: 40 }, (_, index) => node(`volume/v${index}`))
  const graph: Graph = {
    nodes: [node('container/db'), ...volumes, node('volume/bad', { sync: 'missing' })],
    edges: ['volume/bad', ...volumes.map(({ id }) => id)].map((to) => ({
      from: 'container/db',
      to,
      until: 'exists' as const,
    })),
  }
  const ids = foldGraph(graph, new Set()).nodes.map(({ node: { id } }) => id)
  assert.deepEqual(ids.toSorted(), ['container/db', 'volume/bad'])
})
