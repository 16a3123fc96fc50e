import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunRecord } from '#model/store.ts'
import { noon } from '../../../test/fake/events.ts'
import { historyDocument, historyLines, listDocument, listLines } from './listing.ts'

const charts = [
  {
    kind: 'chart',
    name: 'my-app',
    namespace: null,
    version: '1.2.3',
    run: 14,
    state: 'degraded',
    since: noon - 180_000,
    path: '/srv/my-app',
  },
  {
    kind: 'chart',
    name: 'shop',
    namespace: 'staging',
    version: '0.1.0',
    run: 2,
    state: 'healthy',
    since: noon - 3 * 86_400_000,
    path: null,
  },
] as const

test('charts in columns', () => {
  assert.deepEqual(listLines(charts, noon), [
    'NAME     NAMESPACE   VERSION   RUN   STATUS     CHANGED         FROM',
    'my-app   -           1.2.3     14    degraded   3 minutes ago   /srv/my-app',
    'shop     staging     0.1.0     2     healthy    3 days ago      -',
  ])
  assert.deepEqual(listLines([], noon), ['No charts are installed.'])
  assert.deepEqual(listLines([charts[1], { ...charts[0], kind: 'stack' }], noon), [
    'KIND    NAME     NAMESPACE   VERSION   RUN   STATUS     CHANGED         FROM',
    'chart   shop     staging     0.1.0     2     healthy    3 days ago      -',
    'stack   my-app   -           1.2.3     14    degraded   3 minutes ago   /srv/my-app',
  ])
  const [one, other] = [
    { ...charts[0], engine: 'unix:///a.sock' },
    { ...charts[1], engine: null },
  ]
  assert.match(listLines([one, other], noon).join('\n'), /FROM +ENGINE\n.*a\.sock\n.* -$/)
  assert.doesNotMatch(listLines([one, one], noon).join('\n'), /ENGINE/)
  assert.deepEqual(listDocument(charts.slice(1)), {
    charts: [
      {
        chart: 'shop',
        namespace: 'staging',
        version: '0.1.0',
        run: 2,
        status: 'healthy',
        since: '2026-11-12T12:34:56.000Z',
        path: null,
        engine: null,
      },
    ],
    stacks: [],
  })
})

test('runs, newest first, the killed one too', () => {
  const summary = { created: 0, updated: 1, deleted: 0, unchanged: 3, failed: 1, skipped: 0 }
  const run: RunRecord = {
    number: 3,
    trigger: 'manual',
    version: '1.2.3',
    startedAt: noon - 1000,
    endedAt: undefined,
    outcome: undefined,
    isRolledBack: false,
    summary: undefined,
    hash: '',
    hasSnapshot: true,
  }
  const failed = {
    ...run,
    number: 2,
    startedAt: noon - 61_000,
    endedAt: noon - 60_000,
    outcome: 'failed',
    isRolledBack: true,
    summary,
  } as const
  assert.deepEqual(historyLines([run, failed], noon), [
    'RUN   WHEN           TRIGGER   VERSION   OUTCOME               CHANGES    DURATION',
    '3     1 second ago   manual    1.2.3     unfinished            -          -',
    '2     1 minute ago   manual    1.2.3     failed, rolled back   +0 ~1 -0   1.0s',
  ])
  const [, commit = ''] = historyLines([{ ...failed, version: 'bc5f465'.padEnd(40, '0') }], noon)
  assert.match(commit, / manual +bc5f465 +failed/)
  const document = historyDocument({ kind: 'chart', namespace: null, name: 'my-app' }, [failed])
  assert.deepEqual(document['runs'], [
    {
      run: 2,
      startedAt: '2026-11-15T12:33:55.000Z',
      endedAt: '2026-11-15T12:33:56.000Z',
      trigger: 'manual',
      version: '1.2.3',
      status: 'failed',
      rolledBack: true,
      summary,
    },
  ])
})
