import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordsOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { AppStatus } from '#model/service.ts'
import { kustomizationStatus, type KustomizationFacts } from './kustomization-status.ts'
import { fluxObjectOf } from './kinds.ts'
import { statusOf } from './rejected-objects.ts'

const one = fluxObjectOf({ metadata: { name: 'apps', namespace: 'flux-system', generation: 1 } })
const trouble = { reason: '', message: '', isStalled: false }
const version = { revision: 'a'.repeat(40), message: '', hash: 'h' }

function healthOf(
  app: Partial<AppStatus>,
  facts: Partial<KustomizationFacts> = {},
  before?: JsonRecord,
) {
  const status = statusAfter(app, facts, before === undefined ? {} : { conditions: [before] })
  const found = recordsOf(status['conditions']).find(({ type }) => type === 'Healthy')
  return (
    found && `${textOf(found['status'])} ${textOf(found['reason'])} ${textOf(found['message'])}`
  )
}

function statusAfter(
  app: Partial<AppStatus>,
  facts: Partial<KustomizationFacts>,
  before: JsonRecord,
): JsonRecord {
  return kustomizationStatus(
    { ...one, status: before },
    {
      now: 0,
      app: {
        ...statusOf('kustomization:flux-system/apps', { one, trouble }),
        desired: version,
        ...app,
      },
      isCurrent: true,
      trouble: undefined,
      failure: undefined,
      hasFault: false,
      sourceRevision: '',
      sourceProblem: undefined,
      revisionOf: (commit) => commit,
      inventory: undefined,
      history: undefined,
      remotes: [],
      isInTrouble: () => false,
      waitsFor: undefined,
      handledAt: '',
      ...facts,
    },
  )
}

function health(state: AppStatus['health']['state'], reason: string): AppStatus['health'] {
  return { state, reason, since: 0, isGivenUp: false }
}

test('health is told by its own condition, whatever Ready says', () => {
  const synced = { ...version, at: 0 }
  const well = health('healthy', '')
  assert.equal(
    healthOf({ state: 'synced', synced, health: well }),
    'True Succeeded Health check passed',
  )
  assert.equal(
    healthOf({ state: 'failed', health: well }, { hasFault: true }),
    'True Succeeded Health check passed',
  )
  const bad = health('degraded', 'web crashes')
  assert.equal(
    healthOf({ state: 'synced', synced, health: bad }),
    'False HealthCheckFailed web crashes',
  )
  assert.equal(
    healthOf({ state: 'synced', synced, health: health('progressing', 'soon') }),
    'Unknown Progressing soon',
  )
})

test('what nobody looked at, or was taken back, is as it was', () => {
  const before = { type: 'Healthy', status: 'True', reason: 'Succeeded', message: 'as before' }
  assert.equal(healthOf({ health: health('unknown', '') }, {}, before), 'True Succeeded as before')
  assert.equal(healthOf({ health: health('unknown', '') }), undefined)
  const failure = {
    hash: 'h',
    tries: 1,
    at: 0,
    reason: '',
    isRolledBack: true,
    isPassing: true,
    nextTry: 0,
    epoch: 0,
  }
  assert.equal(
    healthOf({ state: 'failed', health: health('failed', 'new one crashed') }, { failure }, before),
    'True Succeeded as before',
  )
})

test('the commits of remote bases outlive a start, until the set was built again', () => {
  const remoteBases = [{ url: 'https://git.example.org/a//b', commit: '1' }]
  const after = (remotes: KustomizationFacts['remotes']) =>
    statusAfter({}, { remotes }, { remoteBases })['remoteBases']
  assert.deepEqual(after(undefined), remoteBases)
  assert.deepEqual(after([]), undefined)
})
