import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphNode } from '#model/api.ts'
import { treeLines } from './tree-lines.ts'

const node = (type: GraphNode['type'], kind: string, name: string): GraphNode => ({
  type,
  id: `${kind}/${name}`,
  kind,
  name,
  sync: 'synced',
  reason: '',
})

test('resources come by kind, and the applications that are needed come last', () => {
  const graph = {
    nodes: [
      node('app', 'stack', 'db'),
      node('resource', 'network', 'default'),
      node('resource', 'container', 'web-10'),
      node('resource', 'container', 'web-2'),
    ],
    edges: [],
  }
  assert.deepEqual(
    treeLines(graph, new Set()).map(({ title }) => title),
    ['container', 'web-2', 'web-10', 'network', 'default', 'application', 'db'],
  )
})
