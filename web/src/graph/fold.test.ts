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
