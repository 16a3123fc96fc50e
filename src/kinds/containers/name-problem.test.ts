import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProblemFacts } from '#model/problem.ts'
import { vaultOf } from '#model/vault.ts'
import { loadedCharts } from '../charts/load.ts'
import { loadedStacks } from '../stacks/load.ts'
import { nameContainer } from './name-problem.ts'

const message = 'not healthy after 3.0s: it ended with exit code 1'
const ref = 'container/web-1'
const unwell: ProblemFacts = { type: 'runtime', code: 'unhealthy', message, ref }

test('what is not healthy is named, once', () => {
  const told = nameContainer(unwell)
  assert.equal(told.message, `container/web-1: ${message}`)
  assert.deepEqual(nameContainer(told), told)
})

test('what names the thing itself, or is of no container, is left as it is', () => {
  const missing: ProblemFacts = { ...unwell, code: 'image_not_found', message: 'no image x' }
  assert.equal(nameContainer(missing), missing)
  const other: ProblemFacts = { ...unwell, ref: 'network/back' }
  assert.equal(nameContainer(other), other)
})

test('a stack and a chart say which of their containers it is', () => {
  const vault = vaultOf(new Map(), new Uint8Array([1]))
  const shared = { problems: [], warnings: [], isIncomplete: false, version: '1', vault }
  const rendered = { ...shared, resources: [] }
  for (const kind of [loadedStacks, loadedCharts]) {
    assert.equal(kind.explain?.(unwell, rendered).message, `container/web-1: ${message}`)
  }
})
