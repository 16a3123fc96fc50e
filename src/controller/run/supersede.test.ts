/** Only what would be applied at once ends the wait for what was applied before it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Declared } from '#model/declaration.ts'
import {
  beginWork,
  endWork,
  markGone,
  setApplying,
  setDeclaration,
  updatePersisted,
} from '../state/app-state.ts'
import { createAppState } from '../state/create-app-state.ts'
import type { PersistedState } from '../state/persisted-state.ts'
import type { Branch } from '../sources/repository-poller.ts'
import type { TargetMonitor } from '../monitor/target-monitor.ts'
import type { DecisionContext } from '../decide/app-status.ts'
import { supersede } from './supersede.ts'

const inputs = { about: '', read: '' }

const place = {
  listing: () => undefined,
  problem: () => undefined,
  epoch: () => 0,
} as unknown as TargetMonitor

type Scene = {
  readonly newest?: string
  readonly persisted?: Partial<PersistedState>
  readonly isGone?: boolean
  readonly hasPlace?: boolean
  readonly around?: Partial<DecisionContext>
}

/** Whether a run of the hash `bad` is told to wait no more. */
function isSuperseded({
  newest = 'mended',
  persisted = {},
  isGone,
  hasPlace,
  around = {},
}: Scene): boolean {
  const first = { since: 0, from: '', removes: false, isRemoved: false }
  const app = createAppState({ kind: 'stack', name: 'web', namespace: null }, 'here', first)
  const policy = { dependsOn: [], drift: 'revert', suspended: false, windows: [] }
  setDeclaration(app, {
    declared: { policy } as unknown as Declared,
    branch: { status: { revision: 'r2' }, snapshot: { revision: 'r2' } } as unknown as Branch,
    monitor: hasPlace === true ? place : undefined,
  })
  beginWork(app, 'sync')
  setApplying(app, 'bad')
  const synced = { revision: 'r0', message: '', hash: 'good', at: 0 }
  const desired = { hash: newest, file: 'compose.yaml', inputs }
  updatePersisted(app, { synced, begun: 'bad', desired, ...persisted })
  if (isGone === true) markGone(app, undefined)
  supersede(app, {
    now: 1_000_000,
    isEnabled: true,
    helpPace: { pauses: [], grace: 0, proof: 0 },
    waitsFor: () => [],
    mayHelp: () => false,
    isOpen: () => ({ isOpen: true, until: undefined }),
    ...around,
  })
  assert.equal(app.underWay, 'sync')
  const { aborted, reason } = app.applying?.superseded.signal ?? {}
  const why = isGone === true ? 'it is no longer in its source' : 'revision r2 is to be applied'
  if (aborted === true) assert.equal(reason, why)
  endWork(app)
  assert.equal(app.applying, undefined)
  return aborted === true
}

test('something newer ends the wait, also when it is what was there before', () => {
  assert.equal(isSuperseded({}), true)
  assert.equal(isSuperseded({ newest: 'good' }), true)
  assert.equal(isSuperseded({ newest: 'bad' }), false)
})

test('what is to be removed is not waited for, what is left running is', () => {
  // of what runs where nobody knows nothing is removed
  assert.equal(isSuperseded({ newest: 'bad', isGone: true, persisted: { removes: true } }), false)
  const known = { newest: 'bad', isGone: true, hasPlace: true } as const
  assert.equal(isSuperseded({ ...known, persisted: { removes: true } }), true)
  assert.equal(isSuperseded({ ...known, persisted: { removes: false } }), false)
})

test('what would not be applied now ends no wait', () => {
  const failure = {
    hash: 'mended',
    tries: 1,
    at: 0,
    reason: 'it was not well',
    isRolledBack: true,
    isPassing: false,
    nextTry: 0,
    epoch: 0,
  }
  const scenes: Readonly<Record<string, Scene>> = {
    'it failed before': { persisted: { failure } },
    'it was rolled back from': { persisted: { leftBehind: 'mended' } },
    suspended: { persisted: { suspended: true } },
    'sync is switched off': { around: { isEnabled: false } },
    'its window is closed': { around: { isOpen: () => ({ isOpen: false, until: undefined }) } },
    'it waits for others': { around: { waitsFor: () => ['stack:db'] } },
  }
  for (const [why, scene] of Object.entries(scenes)) assert.equal(isSuperseded(scene), false, why)
})
