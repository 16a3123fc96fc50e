/** When something is told: once when it persists, once when it is over. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AppHealth, State } from '#model/service.ts'
import { decideAlert, type Trouble } from './persistence.ts'

const limits = { failures: 3, after: 600_000 }
const version = { revision: 'r', message: '', hash: '' }

const well = { state: 'healthy', reason: '', since: 0, isGivenUp: false } as const

type Step = {
  readonly health?: AppHealth
  readonly state: State
  readonly failures?: number
  readonly at?: number
}

function told(steps: readonly Step[]): readonly (string | undefined)[] {
  let trouble: Trouble | undefined
  return steps.map(({ state, failures = 0, at = 0, health = well }) => {
    const decided = decideAlert(trouble, { state, failures, desired: version, health }, at, limits)
    ;({ trouble } = decided)
    return decided.tells
  })
}

test('three failures are told once, and recovery once', () => {
  assert.deepEqual(
    told([
      { state: 'failed', failures: 1 },
      { state: 'syncing', failures: 1 },
      { state: 'failed', failures: 2 },
      { state: 'failed', failures: 3 },
      { state: 'syncing', failures: 3 },
      { state: 'failed', failures: 4 },
      { state: 'synced' },
      { state: 'synced' },
    ]),
    [undefined, undefined, undefined, 'failing', undefined, undefined, 'recovered', undefined],
  )
})

test('one failure that lasts is told when its time is over', () => {
  assert.deepEqual(
    told([
      { state: 'failed', failures: 1, at: 5 },
      { state: 'failed', failures: 1, at: 600_004 },
      { state: 'failed', failures: 1, at: 600_005 },
    ]),
    [undefined, undefined, 'failing'],
  )
})

test('a failure that passes is never told, nor is its end', () => {
  assert.deepEqual(told([{ state: 'failed', failures: 2 }, { state: 'synced' }]), [
    undefined,
    undefined,
  ])
})

test('what is suspended while it fails is not told; when it goes on, it is', () => {
  assert.deepEqual(
    told([
      { state: 'failed', failures: 1 },
      { state: 'suspended', at: 700_000 },
      { state: 'failed', failures: 1, at: 700_001 },
    ]),
    [undefined, undefined, 'failing'],
  )
})

test('whatever happens, failing and recovered take turns', () => {
  const states: readonly State[] = [
    'missing',
    'syncing',
    'synced',
    'deleting',
    'failed',
    'drifted',
    'suspended',
  ]
  const step = fc.record({
    state: fc.constantFrom(...states),
    failures: fc.integer({ min: 0, max: 5 }),
    at: fc.integer({ min: 0, max: 2_000_000 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const inOrder = steps.toSorted((left, right) => left.at - right.at)
      const said = told(inOrder).filter((one) => one !== undefined)
      assert.ok(said.every((one, index) => one === (index % 2 === 0 ? 'failing' : 'recovered')))
    }),
  )
})

test('a clock that was set back makes nobody wait longer than is declared', () => {
  const hour = 3_600_000
  const steps = [hour, 0, 300_000, 600_000].map((at) => ({
    state: 'failed' as const,
    failures: 1,
    at,
  }))
  assert.deepEqual(told(steps), [undefined, undefined, undefined, 'failing'])
})

test('what is not well is told when nothing more is tried, and once; well again only when it has shown it', () => {
  const sick = { state: 'failed', reason: 'r', since: 0, isGivenUp: false } as const
  const left = { ...sick, isGivenUp: true }
  const waiting = { ...well, state: 'progressing' } as const
  assert.deepEqual(
    told([
      { state: 'synced', health: sick },
      { state: 'synced', health: left },
      { state: 'synced', health: waiting },
      { state: 'synced', health: left },
      { state: 'synced', health: waiting },
      { state: 'synced', health: well },
      { state: 'synced', health: well },
    ]),
    [undefined, 'failing', undefined, undefined, undefined, 'recovered', undefined],
  )
})
