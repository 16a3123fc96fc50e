/** Each line comes when it is so, with the time of that thing alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EmittedEvent } from '#engine/apply/apply-context.ts'
import { progressLines } from './progress-lines.ts'

function operation(ref: string, words: string): EmittedEvent {
  return { type: 'operation', ref, id: words, part: 'make', phase: 'began', words, attempt: 1 }
}

test('a cluster is done when it is ready, not when all are', () => {
  const lineOf = progressLines()
  const told = (event: EmittedEvent): string | undefined => lineOf({ ...event, at: 0 })
  const dev = { type: 'group', ref: 'cluster/dev', step: 'create' } as const
  const old = { type: 'group', ref: 'cluster/old', step: 'delete' } as const
  assert.equal(
    told(operation('cluster/dev', 'create cluster dev')),
    'cluster/dev: create cluster dev',
  )
  assert.equal(told({ ...dev, phase: 'waiting' }), 'cluster/dev: waiting until it is ready')
  assert.equal(
    told({ ...dev, phase: 'passed', milliseconds: 20_100 }),
    'cluster/dev: done in 20.1 s',
  )
  assert.equal(told({ ...dev, phase: 'done', milliseconds: 83_000 }), undefined)
  assert.equal(
    told(operation('cluster/old', 'delete cluster old')),
    'cluster/old: delete cluster old',
  )
  assert.equal(told({ ...old, phase: 'done', milliseconds: 4_000 }), 'cluster/old: done in 4.0 s')
})
