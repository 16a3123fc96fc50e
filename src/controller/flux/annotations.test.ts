import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotatedPolicy } from './annotations.ts'

test('what annotations say is read, and nothing else of them', () => {
  const said = {
    'tend/drift': 'flag',
    'tend/rollback': 'never',
    'tend/allow-mass-delete': '4507ab1',
  }
  assert.deepEqual(annotatedPolicy({ ...said, 'example.org/drift': 'x' }), {
    drift: 'flag',
    rollback: 'never',
    removesFor: '4507ab1',
    faults: [],
  })
  assert.deepEqual(annotatedPolicy({}), { drift: 'revert', rollback: 'auto', faults: [] })
})

test('each that can not be meant is told, with what may be said', () => {
  const { faults } = annotatedPolicy({ 'tend/drift': 'revrt', 'tend/rollback': '', 'tend/x': '' })
  assert.deepEqual(faults, [
    'the annotation tend/x is not known (there are: tend/drift, tend/rollback, tend/allow-mass-delete)',
    'the annotation tend/drift is "revrt": it may be revert, flag or ignore, did you mean revert?',
    'the annotation tend/rollback is "": it may be auto, manual or never',
  ])
})
