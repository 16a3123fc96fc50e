import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ended, group, planned, started, wentBack } from '../../../test/fake/events.ts'
import { failureDocument, runDocument } from './document.ts'
import { runSummaryOf } from './run-summary.ts'

test('an upgrade that went back, as one document', () => {
  const document = runDocument(runSummaryOf(wentBack))
  assert.deepEqual(document, {
    chart: 'my-app',
    version: '1.2.3',
    namespace: null,
    engine: null,
    run: 14,
    dryRun: false,
    status: 'failed',
    rolledBackTo: 13,
    durationMs: 100,
    summary: { created: 0, updated: 0, deleted: 0, unchanged: 7, failed: 1, skipped: 1 },
    resources: [
      {
        kind: 'container',
        name: 'web-server',
        action: 'replace',
        outcome: 'failed',
        cause: 'is not there',
        durationMs: 2100,
        changes: [
          {
            path: 'image',
            from: 'registry.example.org/web:1.4.2',
            to: 'registry.example.org/web:1.5.0',
          },
        ],
      },
      {
        kind: 'container',
        name: 'worker',
        action: 'update',
        outcome: 'skipped',
        cause: 'is not there',
        durationMs: null,
        changes: [],
      },
    ],
    errors: [
      {
        type: 'podman_api',
        code: 'unhealthy',
        resource: { kind: 'container', name: 'web-server' },
        at: null,
        message: 'not healthy after 30.0s: GET /health answered 500',
        cause: null,
        recoverable: false,
        suggestion: 'Look at the logs with: tend logs my-app web-server --run 14',
      },
      {
        type: 'dependency',
        code: 'needs_failed',
        resource: { kind: 'container', name: 'worker' },
        at: null,
        message: 'needs container/web-server, which failed',
        cause: null,
        recoverable: false,
        suggestion: null,
      },
    ],
    warnings: [],
  })
})

test('a dry run tells what is planned, what is left alone, and hides what looks secret', () => {
  const changes = [{ path: 'env.TOKEN', from: 'a', to: 'b' }]
  const document = runDocument(
    runSummaryOf([
      started('my-app', true, 'staging'),
      planned([group('container/a', 'update', { changes })], {
        unchanged: ['network/n'],
        kept: [{ ref: 'volume/v', why: 'it may hold data' }],
      }),
      ended({}),
    ]),
  )
  assert.equal(document['namespace'], 'staging')
  assert.equal(document['dryRun'], true)
  const hidden = [{ path: 'env.TOKEN', from: '******', to: '******' }]
  const still = { action: 'none', durationMs: null, changes: [] }
  assert.deepEqual(document['resources'], [
    {
      kind: 'container',
      name: 'a',
      action: 'update',
      outcome: 'planned',
      cause: 'is not there',
      durationMs: null,
      changes: hidden,
    },
    { kind: 'network', name: 'n', outcome: 'unchanged', cause: null, ...still },
    { kind: 'volume', name: 'v', outcome: 'kept', cause: 'it may hold data', ...still },
  ])
})

test('wrong usage has the same shape', () => {
  const usage = failureDocument([
    {
      type: 'configuration',
      code: 'usage',
      message: 'unknown flag --dryrun',
      suggestion: 'did you mean --dry-run?',
    },
  ])
  assert.deepEqual(Object.keys(usage), Object.keys(runDocument(runSummaryOf(wentBack))))
  assert.equal(usage['status'], 'refused')
  assert.deepEqual(usage['errors'], [
    {
      type: 'configuration',
      code: 'usage',
      resource: null,
      at: null,
      message: 'unknown flag --dryrun',
      cause: null,
      recoverable: false,
      suggestion: 'did you mean --dry-run?',
    },
  ])
})
