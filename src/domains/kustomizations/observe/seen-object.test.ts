import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withLapse, type Mark } from './seen-object.ts'

function seen(state: 'ok' | 'waiting', mark = 'spec 1'): Mark {
  const look = { state, message: state === 'ok' ? '' : 'Available: 0/1' } as const
  return { owner: 'apps/web', mark, object: {}, look, pods: { running: 0, total: 1 } }
}

test('that an object ceased to be well is kept when it is well again', () => {
  const fallen = withLapse(seen('ok'), seen('waiting'), 7)
  const again = withLapse(fallen, seen('ok'), 8)
  assert.deepEqual(again.lapse, { look: seen('waiting').look, at: 7 })
  assert.equal(withLapse(withLapse(again, seen('waiting'), 9), seen('ok'), 10).lapse?.at, 9)
})

test('what becomes ready after a change had no lapse', () => {
  const changed = withLapse(seen('ok'), seen('waiting', 'spec 2'), 7)
  assert.equal(changed.lapse, undefined)
  assert.equal(withLapse(changed, seen('ok', 'spec 2'), 8).lapse, undefined)
  assert.equal(withLapse(undefined, seen('waiting'), 7).lapse, undefined)
})
