import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '#model/event.ts'
import {
  ended,
  failed,
  group,
  noon,
  operation,
  passed,
  planned,
  problem,
  rendered,
  started,
  utcTime,
  wentBack,
} from '../../../test/fake/events.ts'
import type { ViewOptions } from './view-options.ts'
import { coloured, plain } from './paint.ts'
import { runView } from './run-view.ts'
import { runSummaryOf } from './run-summary.ts'
import type { RunSummary } from './run-summary.ts'
import { endLines, headingLines, inputLines } from './table.ts'

function tableLines(summary: RunSummary, view: ViewOptions): readonly string[] {
  return [...headingLines(summary, view), ...inputLines(summary, view), ...endLines(summary, view)]
}

function viewOptions(more: Partial<ViewOptions> = {}): ViewOptions {
  return {
    doing: 'Installing chart',
    subject: './my-app',
    isVerbose: false,
    explains: false,
    paint: plain,
    before: undefined,
    apply: 'Run without --dry-run to apply changes',
    time: utcTime,
    ...more,
  }
}

function shows(events: readonly Event[], expected: string, more: Partial<ViewOptions> = {}): void {
  const view = runView(viewOptions(more))
  const lines = events.flatMap((event) => view.on(event))
  assert.deepEqual(lines, expected.replace(/^\n/, '').trimEnd().split('\n'))
  if (more.isVerbose !== true)
    assert.deepEqual(tableLines(runSummaryOf(events), viewOptions(more)), lines)
}

const upgrade = { doing: 'Upgrading chart', before: 13 }

test('an install', () => {
  const refs = [
    'network/web-network',
    'network/db-network',
    'volume/web-content',
    'volume/db-data',
    'secret/db-credentials',
    'secret/api-keys',
    'container/web-server',
    'container/database',
  ]
  shows(
    [
      started(),
      rendered(Object.fromEntries([...refs, 'container/cache'].map((ref) => [ref, []]))),
      planned([
        ...refs.toReversed().map((ref) => group(ref, 'create')),
        group('container/cache', 'update'),
      ]),
      ...refs.flatMap((ref) => passed(ref, 'create')),
      ...passed('container/cache', 'update'),
      ended({ created: 8, updated: 1 }, { milliseconds: 12_345 }),
    ],
    `
Installing chart: ./my-app
Chart name: my-app

┌─────────────────────────────────────────────────────────────┐
│ Reconciling Resources                                       │
└─────────────────────────────────────────────────────────────┘

Networks:
  ✓ web-network        created
  ✓ db-network         created

Volumes:
  ✓ web-content        created
  ✓ db-data            created

Secrets:
  ✓ db-credentials     created
  ✓ api-keys           created

Containers:
  ✓ web-server         created
  ✓ database           created
  ✓ cache              updated

┌─────────────────────────────────────────────────────────────┐
│ Summary                                                     │
└─────────────────────────────────────────────────────────────┘

Resources: 8 created, 1 updated, 0 deleted
Duration: 12.3s
Status: Success
`,
  )
})

const database = [
  { path: 'image', from: 'postgres:13', to: 'postgres:14' },
  { path: 'memory', from: '512Mi', to: '1Gi' },
]

test('a dry run', () => {
  shows(
    [
      started('chart-name', true),
      rendered({}),
      planned([
        group('network/web-network', 'create'),
        group('network/db-network', 'create'),
        group('container/web-server', 'create'),
        group('container/database', 'replace', { changes: database }),
      ]),
      ended({}),
    ],
    `
Preview: ./my-app → chart-name

┌─────────────────────────────────────────────────────────────┐
│ Planned Changes                                             │
└─────────────────────────────────────────────────────────────┘

Networks:
  + web-network        will be created
  + db-network         will be created

Containers:
  + web-server         will be created
  ~ database           will be updated
    - image: postgres:13 → postgres:14
    - memory: 512Mi → 1Gi

┌─────────────────────────────────────────────────────────────┐
│ Summary                                                     │
└─────────────────────────────────────────────────────────────┘

Planned: 3 create, 1 update, 0 delete
Run without --dry-run to apply changes
`,
  )
})

test('plan tells why, hides what looks secret, and shows what is unchanged only when asked', () => {
  const changes = [
    { path: 'env.DB_PASSWORD', from: 'old', to: 'new' },
    { path: 'env.MOTD', from: null, to: 'two\nlines' },
  ]
  const events = [
    started('my-app', true),
    rendered({ 'container/web': [] }),
    planned(
      [
        group('container/web', 'update', { changes, cause: 'its environment changed' }),
        group('container/old', 'delete', { cause: 'is no longer declared' }),
      ],
      { unchanged: ['network/front'], kept: [{ ref: 'volume/data', why: 'it may hold data' }] },
    ),
    ended({}),
  ]
  const summary = `
┌─────────────────────────────────────────────────────────────┐
│ Summary                                                     │
└─────────────────────────────────────────────────────────────┘
`
  const containers = `Containers:
  ~ web                will be updated
    - env.DB_PASSWORD: ****** → ******
    - env.MOTD: (none) → "two\\nlines"
    Why: its environment changed
  - old                will be deleted
    Why: is no longer declared
`
  const head = `
Preview: my-app → my-app

┌─────────────────────────────────────────────────────────────┐
│ Planned Changes                                             │
└─────────────────────────────────────────────────────────────┘
`
  const apply = { explains: true, subject: 'my-app', apply: 'Apply with: tend upgrade my-app' }
  shows(
    events,
    `${head}
Volumes:
  ~ data               kept: it may hold data

${containers}${summary}
Planned: 0 create, 1 update, 1 delete
Apply with: tend upgrade my-app
`,
    apply,
  )
  const quiet = events.filter((event) => event.type !== 'rendered')
  const view = runView(viewOptions({ ...apply, isVerbose: true }))
  assert.deepEqual(
    quiet.flatMap((event) => view.on(event)),
    `${head}
Networks:
  ✓ front              unchanged

Volumes:
  ~ data               kept: it may hold data

${containers}${summary}
Planned: 0 create, 1 update, 1 delete, 1 unchanged
Apply with: tend upgrade my-app`
      .slice(1)
      .split('\n'),
  )
})

test('a failure with what to do about it', () => {
  shows(
    [
      started('development'),
      rendered({ 'network/web-network': [], 'container/web-server': ['network/web-network'] }),
      planned([group('network/web-network', 'create'), group('container/web-server', 'create')]),
      ...passed('network/web-network', 'create'),
      failed('container/web-server', 'create', {
        message: "image 'nginx:invalid' not found",
        suggestion: 'Check image name and tag',
        cause: 'manifest unknown',
      }),
      ended({ created: 1, failed: 1 }, { outcome: 'failed' }),
    ],
    `
Installing chart: ./my-app
Chart name: development

┌─────────────────────────────────────────────────────────────┐
│ Reconciling Resources                                       │
└─────────────────────────────────────────────────────────────┘

Networks:
  ✓ web-network        created

Containers:
  ✗ web-server         failed
    Error: image 'nginx:invalid' not found
    Suggestion: Check image name and tag

┌─────────────────────────────────────────────────────────────┐
│ Summary                                                     │
└─────────────────────────────────────────────────────────────┘

Resources: 1 created, 0 updated, 0 deleted
Errors: 1 failed
Status: Failed

Use --verbose for detailed error information
`,
  )
})

test('every operation with its command and time', () => {
  const refs = {
    'network/web-network': [],
    'network/db-network': [],
    'volume/web-content': [],
    'volume/db-data': [],
    'secret/db-credentials': [],
    'secret/api-keys': [],
    'container/web-server': ['network/web-network', 'secret/api-keys'],
    'container/database': ['network/db-network'],
  }
  shows(
    [
      started('test'),
      rendered(refs),
      planned([group('network/web-network', 'create'), group('container/web-server', 'create')]),
      operation('network/web-network', noon, 'podman network create web-network --driver bridge'),
      ...passed('network/web-network', 'create', 1200, noon),
      operation(
        'container/web-server',
        noon + 1200,
        'podman run -d --name web-server nginx:latest',
      ),
      ...passed('container/web-server', 'create', 2100, noon + 1200),
      ended({ created: 8 }, { milliseconds: 8700 }),
    ],
    `
Installing chart: ./my-app
Chart name: test
Chart version: 1.2.3

┌─────────────────────────────────────────────────────────────┐
│ Parsing Manifests                                           │
└─────────────────────────────────────────────────────────────┘

Found 8 resources:
  - 2 CuteNetwork
  - 2 CuteVolume
  - 2 CuteSecret
  - 2 CuteContainer

┌─────────────────────────────────────────────────────────────┐
│ Dependency Analysis                                         │
└─────────────────────────────────────────────────────────────┘

Execution order:
  1. Networks: web-network, db-network
  2. Volumes: web-content, db-data
  3. Secrets: db-credentials, api-keys
  4. Containers: web-server, database

┌─────────────────────────────────────────────────────────────┐
│ Reconciling Resources                                       │
└─────────────────────────────────────────────────────────────┘

[12:34:56] Creating network web-network
[12:34:56] → podman network create web-network --driver bridge
[12:34:57] ✓ Network web-network created (1.2s)

[12:34:57] Creating container web-server
[12:34:57] → podman run -d --name web-server nginx:latest
[12:34:59] ✓ Container web-server created (2.1s)

┌─────────────────────────────────────────────────────────────┐
│ Summary                                                     │
└─────────────────────────────────────────────────────────────┘

Resources: 8 created, 0 updated, 0 deleted
Duration: 8.7s
Status: Success
`,
    { isVerbose: true },
  )
})

test('nothing to do', () => {
  const unchanged = Array.from({ length: 9 }, (_, index) => `container/c${index}`)
  shows(
    [
      started(),
      rendered(Object.fromEntries(unchanged.map((ref) => [ref, []]))),
      planned([], { unchanged }),
      ended({ unchanged: 9 }),
    ],
    `
Upgrading chart: ./my-app
Chart name: my-app

┌─────────────────────────────────────────────────────────────┐
│ Summary                                                     │
└─────────────────────────────────────────────────────────────┘

Resources: 0 created, 0 updated, 0 deleted, 9 unchanged
Duration: 0.1s
Status: Success
`,
    upgrade,
  )
})

test('an upgrade that went back by itself', () => {
  shows(
    wentBack,
    `
Upgrading chart: ./my-app
Chart name: my-app

┌─────────────────────────────────────────────────────────────┐
│ Reconciling Resources                                       │
└─────────────────────────────────────────────────────────────┘

Containers:
  ✗ web-server         failed
    Error: not healthy after 30.0s: GET /health answered 500
    Last log: Error: column "plan" does not exist
    Suggestion: Look at the logs with: tend logs my-app web-server --run 14
  ~ web-server         put back to run 13 (image registry.example.org/web:1.4.2)
  - worker             skipped: needs web-server

┌─────────────────────────────────────────────────────────────┐
│ Summary                                                     │
└─────────────────────────────────────────────────────────────┘

Resources: 0 created, 0 updated, 0 deleted
Errors: 1 failed, 1 skipped
Rolled back: everything runs as after run 13; web-server did not answer for 2.1s
Status: Failed

Use --verbose for detailed error information
`,
    upgrade,
  )
})

test('the same at length: all log lines, all attempts, dependents on further lines', () => {
  const at = noon + 1000
  const again = {
    at,
    type: 'operation',
    ref: 'container/web-server',
    id: 'create',
    part: 'make',
    phase: 'again',
    words: '',
    attempt: 1,
    delay: 500,
    problem: { type: 'runtime', code: 'unreachable', message: 'connection refused' },
  } as const
  const events = [
    ...wentBack.slice(0, 4),
    operation('container/web-server', noon, 'podman create web-server'),
    again,
    ...wentBack.slice(4),
  ]
  shows(
    events,
    `
Upgrading chart: ./my-app
Chart name: my-app
Chart version: 1.2.3

┌─────────────────────────────────────────────────────────────┐
│ Parsing Manifests                                           │
└─────────────────────────────────────────────────────────────┘

Found 2 resources:
  - 2 CuteContainer

┌─────────────────────────────────────────────────────────────┐
│ Dependency Analysis                                         │
└─────────────────────────────────────────────────────────────┘

Execution order:
  1. Containers: web-server
  2. Containers: worker

┌─────────────────────────────────────────────────────────────┐
│ Reconciling Resources                                       │
└─────────────────────────────────────────────────────────────┘

[12:34:56] Creating container web-server
[12:34:56] → podman create web-server
[12:34:57] ✗ attempt 1: connection refused; trying again in 0.5s
[12:34:56] ✗ Container web-server failed (2.1s)
    Error: not healthy after 30.0s: GET /health answered 500
    Last log: starting
              Error: column "plan" does not exist
    Suggestion: Look at the logs with: tend logs my-app web-server --run 14

[12:34:56] - Container worker skipped: needs web-server

[12:34:56] ~ Container web-server put back to run 13 (image registry.example.org/web:1.4.2)

┌─────────────────────────────────────────────────────────────┐
│ Summary                                                     │
└─────────────────────────────────────────────────────────────┘

Resources: 0 created, 0 updated, 0 deleted, 7 unchanged
Errors: 1 failed, 1 skipped
Rolled back: everything runs as after run 13; web-server did not answer for 2.1s
Status: Failed
`,
    { ...upgrade, isVerbose: true },
  )
})

const bad = [
  problem({
    message: 'spec.ports[0].hostport: unknown field',
    at: { file: 'templates/web.yaml', line: 14, column: 7 },
    suggestion: 'did you mean hostPort?',
    ref: 'container/web-server',
  }),
  problem({
    message: 'spec.networks[0]: no CuteNetwork named "web-netwrk"',
    at: { file: 'templates/web.yaml', line: 22, column: 11 },
    suggestion: 'the chart declares: web-network, db-network',
    ref: 'container/web-server',
  }),
  problem({
    message: 'spec.resources.limits.memory: "1Gb" is not a quantity',
    at: { file: 'templates/db.yaml', line: 9, column: 12 },
    suggestion: 'write 1G or 1Gi',
    ref: 'container/database',
  }),
]

const badText = `
Installing chart: ./my-app
Chart name: my-app

✗ templates/web.yaml:14:7  spec.ports[0].hostport: unknown field
    Suggestion: did you mean hostPort?
✗ templates/web.yaml:22:11 spec.networks[0]: no CuteNetwork named "web-netwrk"
    Suggestion: the chart declares: web-network, db-network
✗ templates/db.yaml:9:12   spec.resources.limits.memory: "1Gb" is not a quantity
    Suggestion: write 1G or 1Gi
`

test('bad input, all at once, and the rest goes on', () => {
  const invalid = { type: 'validation', code: 'unknown_field', message: 'see above' } as const
  const waits = {
    type: 'dependency',
    code: 'needs_failed',
    message: 'needs container/database, which is left as it is',
  } as const
  shows(
    [
      started(),
      rendered({ 'network/web-network': [], 'container/web-server': [], 'container/worker': [] }),
      ...bad,
      planned([group('network/web-network', 'create')], {
        skipped: [
          { ref: 'container/web-server', problem: invalid },
          { ref: 'container/worker', problem: waits },
        ],
      }),
      ...passed('network/web-network', 'create'),
      ended({ created: 1, failed: 2, skipped: 1 }, { outcome: 'failed' }),
    ],
    `${badText}
3 problems in 2 files. web-server and database were left as they are.

┌─────────────────────────────────────────────────────────────┐
│ Reconciling Resources                                       │
└─────────────────────────────────────────────────────────────┘

Networks:
  ✓ web-network        created

Containers:
  - worker             skipped: needs database, which is left as it is

┌─────────────────────────────────────────────────────────────┐
│ Summary                                                     │
└─────────────────────────────────────────────────────────────┘

Resources: 1 created, 0 updated, 0 deleted
Errors: 2 failed, 1 skipped
Status: Failed

Use --verbose for detailed error information
`,
  )
})

test('a chart that can not be read as a whole', () => {
  shows(
    [started(), ...bad, ended({}, { outcome: 'refused' })],
    `${badText.trimEnd()}
Nothing was changed.
`,
  )
})

test('a plan that would remove much', () => {
  const lines = tableLines(
    runSummaryOf([
      started(),
      problem({
        type: 'configuration',
        code: 'would_remove_much',
        message: 'This would remove 12 of 14 resources of my-app (the new chart declares 2).',
        suggestion: 'if that is meant, add --allow-mass-delete',
      }),
      ended({}, { outcome: 'refused' }),
    ]),
    viewOptions(),
  )
  assert.deepEqual(lines.slice(3), [
    '✗ This would remove 12 of 14 resources of my-app (the new chart declares 2).',
    '    Suggestion: if that is meant, add --allow-mass-delete',
    'Nothing was changed.',
  ])
})

test('an interrupted run says what it left', () => {
  const lines = tableLines(
    runSummaryOf([
      started(),
      planned([group('container/a', 'create'), group('container/b', 'create')]),
      { at: noon, type: 'group', ref: 'container/a', step: 'create', phase: 'began' },
      ended({}, { outcome: 'interrupted' }),
    ]),
    viewOptions(),
  )
  assert.ok(lines.includes('  - a                  not finished'))
  assert.ok(lines.includes('  - b                  not begun'))
  assert.ok(lines.includes('Status: Interrupted'))
})

test('colours are those of the indicators, and text from outside keeps none of its own', () => {
  const events = [
    started(),
    planned([group('container/a', 'create')]),
    failed('container/a', 'create', { message: 'bad \u001b[31mred\u001b[0m\u0007 thing' }),
    ended({ failed: 1 }, { outcome: 'failed' }),
  ]
  const lines = tableLines(runSummaryOf(events), viewOptions({ paint: coloured }))
  assert.ok(lines.includes('  \u001b[31m✗\u001b[39m a                  failed'))
  assert.ok(lines.includes('    Error: bad red thing'))
  assert.ok(lines.includes('Status: \u001b[31mFailed\u001b[39m'))
})
