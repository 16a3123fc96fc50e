import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noon } from '../../../test/fake/events.ts'
import { plain } from './paint.ts'
import { statusDocument, statusLines, type ResourceStatus, type Status } from './status.ts'

function ok(ref: string): ResourceStatus {
  return { ref, state: 'ok', reason: '', drift: [] }
}

const status: Status = {
  kind: 'chart',
  name: 'my-app',
  namespace: null,
  version: '1.2.3',
  state: 'degraded',
  run: 14,
  since: noon - 200_000,
  path: './my-app',
  resources: [
    ...['network/a', 'network/b', 'volume/a', 'volume/b', 'secret/a', 'secret/b'].map(ok),
    { ref: 'container/database', state: 'healthy', reason: 'up 3 days', drift: [] },
    {
      ref: 'container/web-server',
      state: 'unhealthy',
      reason: '12 failing checks: GET /health answered 500',
      drift: [],
    },
    {
      ref: 'container/cache',
      state: 'drifted',
      reason: 'stopped by hand 40 seconds ago',
      drift: [],
    },
  ],
}

test('as the requirement shows it', () => {
  const expected = `
my-app 1.2.3   degraded   run 14, 3 minutes ago, from ./my-app

Containers:
  ✓ database           healthy      up 3 days
  ✗ web-server         unhealthy    12 failing checks: GET /health answered 500
  ~ cache              drifted      stopped by hand 40 seconds ago
Networks: 2 ok   Volumes: 2 ok   Secrets: 2 ok
`
  assert.deepEqual(statusLines(status, noon, plain), expected.trim().split('\n'))
})

test('a kind with something amiss is told one by one, drift field by field', () => {
  const drift = [
    { path: 'memory', from: '512Mi', to: '1Gi' },
    { path: 'env.API_TOKEN', from: 'a', to: 'b' },
  ]
  const lost: Status = {
    ...status,
    namespace: 'staging',
    state: 'failed',
    path: null,
    resources: [
      ok('network/a'),
      { ref: 'network/b', state: 'missing', reason: 'was removed', drift: [] },
      { ref: 'container/web', state: 'drifted', reason: 'its memory changed', drift },
    ],
  }
  assert.deepEqual(statusLines(lost, noon, plain), [
    'staging/my-app 1.2.3   failed   run 14, 3 minutes ago',
    '',
    'Containers:',
    '  ~ web                drifted      its memory changed',
    '    - memory: 512Mi → 1Gi',
    '    - env.API_TOKEN: ****** → ******',
    'Networks:',
    '  ✓ a                  ok',
    '  ✗ b                  missing      was removed',
  ])
  const resources = statusDocument(lost)['resources']
  assert.ok(Array.isArray(resources))
  assert.deepEqual(resources[2], {
    kind: 'container',
    name: 'web',
    status: 'drifted',
    reason: 'its memory changed',
    drift: [drift[0], { path: 'env.API_TOKEN', from: '******', to: '******' }],
  })
})
