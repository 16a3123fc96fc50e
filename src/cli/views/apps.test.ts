import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppStatus, SourceStatus } from '#model/service.ts'
import { whichApp } from '../service/which-app.ts'
import { appLines, runLines, sourceLines } from './apps.ts'
import { coloured, plain } from './paint.ts'

const now = 1_000_000

function app(name: string, more: Partial<AppStatus> = {}): AppStatus {
  return {
    key: `stack:${name}`,
    application: { kind: 'stack', namespace: null, name },
    state: 'synced',
    reason: '',
    sync: { state: 'synced', reason: '', since: 0 },
    health: { state: 'healthy', reason: '', since: 0, isGivenUp: false },
    desired: { revision: 'aaaaaaaaaa', message: 'm', hash: '1' },
    synced: { revision: 'aaaaaaaaaa', message: 'm', hash: '1', at: now - 5000 },
    lastRun: undefined,
    nextTry: undefined,
    failures: 0,
    isSuspended: false,
    needsAcknowledgement: false,
    containers: { running: 1, total: 2 },
    source: {
      shown: 'https://example.org/shop.git',
      ref: 'main',
      path: name,
      file: 'compose.yaml',
    },
    target: '',
    dependsOn: [],
    ...more,
  }
}

test('applications: what runs, what is wanted instead, why, and what to do', () => {
  const failed = app('api', {
    state: 'failed',
    reason: 'it ended\u001b[2J with exit code 1',
    desired: { revision: 'bbbbbbbbbb', message: 'n', hash: '2' },
    nextTry: now + 30_000,
    health: {
      state: 'failed',
      reason: 'container/api-1: it is paused',
      since: now - 20_000,
      isGivenUp: false,
    },
  })
  const flagged = app('db', {
    state: 'drifted',
    reason: 'state changed',
    needsAcknowledgement: true,
  })
  assert.deepEqual(appLines([app('web'), failed, flagged], now, plain), [
    'NAME   KIND    STATUS      HEALTH      REVISION            CONTAINERS   SYNCED          SOURCE',
    'web    stack   ✓ synced    ✓ healthy   aaaaaaa             1/2          5 seconds ago   https://example.org/shop.git main web',
    'api    stack   ✗ failed    ✗ failed    aaaaaaa → bbbbbbb   1/2          5 seconds ago   https://example.org/shop.git main api',
    '  it ended with exit code 1',
    '  health: container/api-1: it is paused, 20 seconds',
    '  tried again in 30 seconds',
    'db     stack   ~ drifted   ✓ healthy   aaaaaaa             1/2          5 seconds ago   https://example.org/shop.git main db',
    '  state changed',
    '  accept it with: tend ack db',
  ])
})

test('why a run failed is told once, though the health has the same words', () => {
  const reason = 'image no/such:1 is not there'
  const state = 'failed'
  const since = now - 20_000
  const health = { state, reason: `container/web-1: it does not exist: ${reason}`, since } as const
  const failed = app('web', { state, reason, health: { ...health, isGivenUp: false } })
  const [, , ...further] = appLines([failed], now, plain)
  assert.deepEqual(further, [`  ${reason}`])
})

test('colours take no room', () => {
  const [heading = '', row = ''] = appLines([app('web')], now, coloured)
  assert.equal(row.includes('\u001b[32m'), true)
  const bare = appLines([app('web')], now, plain)
  assert.equal(heading, bare[0])
  // oxlint-disable-next-line no-control-regex
  assert.equal(row.replaceAll(/\u001b\[\d+m/g, ''), bare[1])
})

test('sources: what was read last, and what is wrong with one', () => {
  const source: SourceStatus = {
    shown: 'https://example.org/shop.git',
    ref: 'main',
    revision: 'aaaaaaaaaa',
    message: 'A change',
    refType: 'branch',
    at: now - 2000,
    state: 'failed',
    problem: { type: 'runtime', code: 'git_error', message: 'it is down', suggestion: 'wait' },
  }
  assert.deepEqual(sourceLines([source], now, plain), [
    'SOURCE                         REF    REVISION   MESSAGE    ASKED           STATUS',
    'https://example.org/shop.git   main   aaaaaaa    A change   2 seconds ago   ✗ failed',
    '  it is down',
    '  wait',
    '  what was read before stays in force: aaaaaaa',
  ])
  const rewritten = { from: 'bbbbbbbbbb', at: now - 1000 }
  const forced: SourceStatus = { ...source, state: 'completed', problem: undefined, rewritten }
  assert.deepEqual(sourceLines([forced], now, plain).slice(2), [
    '  history was rewritten: aaaaaaa does not come from bbbbbbb, which was read before (1 second ago)',
  ])
})

test('which application a word means', () => {
  const chart = { kind: 'chart', namespace: 'staging', name: 'web' } as const
  const apps = [app('web'), app('api'), app('x', { key: 'chart:staging/web', application: chart })]
  assert.equal(whichApp('api', apps).key, 'stack:api')
  assert.equal(whichApp('staging/web', apps).key, 'chart:staging/web')
  assert.equal(whichApp('stack:web', apps).key, 'stack:web')
  assert.throws(() => whichApp('web', apps), /several applications/)
  assert.throws(() => whichApp('apii', apps), { suggestion: /did you mean api\?/ })
  assert.throws(() => whichApp('zzzzzz', apps), { suggestion: /tend get apps/ })
})

test('runs: one that goes on is told from one that was cut off', () => {
  const open = {
    trigger: 'manual',
    version: '',
    startedAt: now - 1000,
    endedAt: undefined,
    outcome: undefined,
    isRolledBack: false,
    summary: undefined,
    hash: '',
    hasSnapshot: false,
  } as const
  const runs = [
    { key: 'stack:web', run: { ...open, number: 2 } },
    { key: 'stack:web', run: { ...open, number: 1 } },
    { key: 'stack:api', run: { ...open, number: 7 } },
  ]
  const words = runLines(runs, now, plain, new Set(['stack:web'])).map(
    (line) => /running|unfinished/.exec(line)?.[0],
  )
  assert.deepEqual(words, [undefined, 'running', 'unfinished', 'unfinished'])
})

test('a job that ended well is completed, and nothing that does not run', () => {
  const columnOf = (containers: AppStatus['containers']): string =>
    appLines([app('web', { containers })], now, plain)[1] ?? ''
  assert.match(columnOf({ running: 1, total: 1, completed: 1 }), / 1\/1 /)
  assert.match(columnOf({ running: 0, total: 0, completed: 2 }), / 2 completed /)
  assert.match(columnOf({ running: 0, total: 0 }), / - /)
})
