/** The way back removes what was made, never what somebody else put under the same name meanwhile. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Group, Operation } from '#model/plan.ts'
import { isOthers, withdrawingOnlyOwn } from './only-own.ts'

function operation(verb: string): Operation {
  return { id: verb, verb, payload: { name: 'web' }, words: '', after: [], disrupts: false }
}

void test('removals on the way back say whose the object has to be, and nothing else does', () => {
  const undo = ['container.remove', 'network.remove', 'container.start'].map(operation)
  const group: Group = {
    ref: 'container/web',
    step: 'create',
    cause: '',
    changes: [],
    prepare: [],
    make: [operation('container.remove')],
    gate: 'none',
    subject: null,
    undo,
    finish: [],
    needs: [],
  }
  const own = withdrawingOnlyOwn(group, 'tend:stack:web')
  assert.deepEqual(
    own.undo.map(({ payload }) => payload),
    [
      { name: 'web', owner: 'tend:stack:web' },
      { name: 'web', owner: 'tend:stack:web' },
      { name: 'web' },
    ],
  )
  assert.deepEqual(own.make, group.make)
})

void test('another label, or none, is another one; without an owner nothing is asked', () => {
  const payload = { name: 'web', owner: 'tend:stack:web' }
  assert.equal(isOthers(payload, { 'tend/owner': 'tend:stack:web' }), false)
  assert.equal(isOthers(payload, { 'tend/owner': 'tend:stack:other' }), true)
  assert.equal(isOthers(payload, {}), true)
  assert.equal(isOthers({ name: 'web' }, {}), false)
})
