import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostUrgent, urgencyOf } from './urgency.ts'

test('a failure is told before what ended well, and that before what goes on', () => {
  const states = { a: 'syncing', b: 'synced', c: 'missing', d: 'failed', e: 'synced' } as const
  const known = new Map(Object.entries(states))
  const names = [...known.keys(), 'unknown', 'troubled']
  const urgency = (name: string) => urgencyOf(known.get(name), name === 'troubled')
  assert.deepEqual(mostUrgent(names, 5, urgency), ['d', 'troubled', 'b', 'e', 'a'])
  assert.deepEqual(mostUrgent(names, 0, urgency), [])
})
