/** Lays a graph out, in a thread of its own: the page goes on answering whatever the size. */
import { graphlib, layout } from '@dagrejs/dagre'
import type { LayoutAnswer, LayoutQuestion } from './layout.ts'

addEventListener('message', ({ data }: MessageEvent<LayoutQuestion>) => {
  const graph = new graphlib.Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 64, marginx: 16, marginy: 16 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id, width, height } of data.nodes) graph.setNode(id, { width, height })
  for (const { from, to } of data.edges) graph.setEdge(from, to)
  if (data.nodes.length > 0) layout(graph)
  const answer: LayoutAnswer = {
    question: data.question,
    nodes: data.nodes.map(({ id, width, height }) => {
      const { x, y } = graph.node(id)
      return { id, x: x - width / 2, y: y - height / 2 }
    }),
    edges: data.edges.map(({ from, to }) => ({
      from,
      to,
      points: graph.edge(from, to).points ?? [],
    })),
  }
  postMessage(answer)
})
