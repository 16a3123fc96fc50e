/** The arithmetic of long lists. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutOf, shownBetween } from './list-layout.ts'

const measures = { line: 50, head: 30, columns: 1 }
const none: ReadonlySet<string> = new Set()

test('a list without groups shows only what is in sight, wherever that is', () => {
  const layout = layoutOf(10_000, undefined, none, measures)
  assert.equal(layout.height, 500_000)
  const shown = shownBetween(layout, 250_000, 250_500, measures)
  assert.equal(shown.length, 11)
  assert.deepEqual(shown[0], { kind: 'item', index: 5000, top: 250_000, column: 0 })
})

test('groups have heads, and a closed one has nothing else', () => {
  const groups = [
    { name: 'a', total: 3 },
    { name: 'b', total: 2 },
  ]
  const layout = layoutOf(5, groups, new Set(['a']), measures)
  assert.equal(layout.height, 30 + 30 + 100)
  const shown = shownBetween(layout, 0, 1000, measures)
  assert.deepEqual(
    shown.map((one) => (one.kind === 'head' ? `#${one.group}` : one.index)),
    ['#0', '#1', 3, 4],
  )
})

test('cards stand in columns, and a group begins on a line of its own', () => {
  const columns = { ...measures, columns: 3 }
  const groups = [
    { name: 'a', total: 4 },
    { name: 'b', total: 1 },
  ]
  const layout = layoutOf(5, groups, none, columns)
  const shown = shownBetween(layout, 0, 1000, columns)
  const items = shown.flatMap((one) =>
    one.kind === 'item' ? [[one.index, one.column, one.top]] : [],
  )
  assert.deepEqual(items, [
    [0, 0, 30],
    [1, 1, 30],
    [2, 2, 30],
    [3, 0, 80],
    [4, 0, 160],
  ])
})
