/** A run as bars over time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '#model/event.ts'
import type { Group, Plan } from '#model/plan.ts'
import { waterfallOf } from './waterfall.ts'

const empty = {
  cause: '',
  changes: [],
  prepare: [],
  make: [],
  gate: 'healthy',
  subject: null,
  undo: [],
  finish: [],
} as const
const network: Group = { ...empty, ref: 'network/front', step: 'create', needs: [] }
const web: Group = {
  ...empty,
  ref: 'container/web',
  step: 'create',
  needs: [{ ref: 'network/front', until: 'exists', renew: false }],
}
const plan: Plan = {
  groups: [web, network],
  unchanged: [],
  skipped: [],
  kept: [],
  warnings: [],
  isFirst: true,
}

test('rows stand in the order in which they began, with what they waited for', () => {
  const events: readonly Event[] = [
    { at: 100, type: 'planned', plan },
    {
      at: 105,
      type: 'operation',
      ref: 'container/web',
      id: 'p',
      part: 'prepare',
      phase: 'done',
      words: 'Pulling',
      attempt: 1,
      milliseconds: 4,
    },
    {
      at: 150,
      type: 'operation',
      ref: 'network/front',
      id: 'a',
      part: 'make',
      phase: 'done',
      words: 'Creating',
      attempt: 1,
      milliseconds: 40,
    },
    { at: 150, type: 'group', ref: 'network/front', step: 'create', phase: 'passed' },
    {
      at: 220,
      type: 'operation',
      ref: 'container/web',
      id: 'b',
      part: 'make',
      phase: 'done',
      words: 'Creating',
      attempt: 1,
      milliseconds: 50,
    },
    { at: 220, type: 'group', ref: 'container/web', step: 'create', phase: 'waiting' },
    {
      at: 400,
      type: 'group',
      ref: 'container/web',
      step: 'create',
      phase: 'failed',
      problem: { type: 'runtime', code: 'unhealthy', message: 'no' },
    },
  ]
  const { from, rows } = waterfallOf(events, 500)
  assert.equal(from, 100)
  assert.deepEqual(
    rows.map(({ ref, end, needs }) => [ref, end, needs]),
    [
      ['network/front', 'passed', []],
      ['container/web', 'failed', ['network/front']],
    ],
  )
  assert.deepEqual(
    rows[1]?.bars.map(({ part, from: start, to, isFailed }) => [part, start, to, isFailed]),
    [
      ['prepare', 101, 105, false],
      ['make', 170, 220, false],
      ['waiting', 220, 400, true],
    ],
  )
})
