/** Whole charts, rendered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directoryTree } from '#sources/directory.ts'
import { renderChart } from './render.ts'
import { input } from './test-chart.ts'

test('examples/hello renders without a problem or warning', () => {
  const rendered = renderChart({ ...input({}), tree: directoryTree('examples/hello') })
  assert.deepEqual(rendered.problems, [])
  assert.deepEqual(rendered.warnings, [])
  assert.equal(rendered.isIncomplete, false)
  assert.deepEqual(rendered.resources.map((resource) => resource.ref).toSorted(), [
    'container/door',
    'container/speaker',
    'network/hello-network',
    'secret/words',
    'volume/pages',
  ])
  assert.deepEqual(rendered.chart.name, 'hello')
})
