/** Order and cycles over random graphs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cycleOf, cycleText, orderOf } from './graph.ts'

const anyGraph = fc
  .array(fc.array(fc.nat(19), { maxLength: 4 }), { minLength: 1, maxLength: 20 })
  .map((rows) => new Map(rows.map((row, index) => [`n/${index}`, row.map((n) => `n/${n}`)])))

test('a graph has an order or a cycle, never both', () => {
  fc.assert(
    fc.property(anyGraph, (graph) => {
      const order = orderOf(graph)
      const cycle = cycleOf(graph)
      assert.equal(order === undefined, cycle !== undefined)
      if (order !== undefined) {
        const place = new Map(order.map((node, index) => [node, index]))
        for (const [node, before] of graph) {
          for (const other of before) {
            if (graph.has(other)) assert.ok(place.get(other)! < place.get(node)!)
          }
        }
      }
      if (cycle !== undefined) {
        cycle.forEach((node, index) => {
          assert.ok(graph.get(node)!.includes(cycle[(index + 1) % cycle.length]!))
        })
      }
    }),
  )
})

test('the cycle is printed whole', () => {
  const graph = new Map([
    ['container/a', ['container/b']],
    ['container/b', ['container/c']],
    ['container/c', ['container/b']],
  ])
  assert.equal(cycleText(cycleOf(graph)!), 'container/b → container/c → container/b')
})

test('a chain of 100,000 does not overflow', () => {
  const chain = new Map(
    Array.from({ length: 100_000 }, (_, n) => [`n/${n}`, n === 0 ? [] : [`n/${n - 1}`]] as const),
  )
  assert.equal(cycleOf(chain), undefined)
  assert.equal(orderOf(chain)?.length, 100_000)
})
