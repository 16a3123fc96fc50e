/** Alerts against stand-ins that keep the exact requests: every channel, retries, restarts, and no secret anywhere. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import type { Alert } from '#controller/alerts/alert.ts'
import { isRecord } from '#model/json.ts'
import { refusedEdit } from '#controller/declare/refused-edit.ts'
import { openAlerts, type Alerts } from '#controller/alerts/open-alerts.ts'
import { mailOf } from '#controller/alerts/mail-text.ts'
import { sendMail } from '#controller/alerts/smtp.ts'
import type { AlertChannel, CommitStatusDeclared } from '#model/declaration.ts'
import type { AppStatus } from '#model/service.ts'
import type { Notes } from '#model/store.ts'
import type { KeptEntry } from '#model/timeline.ts'
import { memoryNotes } from '#store/memory.ts'
import { makeCertificates } from '../testbed/docker-certificates.ts'
import { mailStandIn, type MailWays } from '../testbed/mail-stand-in.ts'
import { manualClock, type ManualClock } from '../testbed/manual-clock.ts'
import { webStandIn, type WebStandIn } from '../testbed/web-stand-in.ts'

const scratch = mkdtempSync(join(tmpdir(), 'tend-alerts-'))
after(() => rmSync(scratch, { recursive: true }))
const { server: certificates } = makeCertificates(scratch)
const pem = (name: string) => readFileSync(join(certificates, name), 'utf8')
const tls = { key: pem('key.pem'), cert: pem('cert.pem') }

const revision = 'a'.repeat(40)
const planted = 'planted-secret-0123'

function status(state: AppStatus['state'], failures = 0, over: Partial<AppStatus> = {}): AppStatus {
  return {
    key: 'stack:web',
    application: { kind: 'stack', namespace: null, name: 'web' },
    state,
    reason: state === 'failed' ? 'web is <unhealthy> & exited 1' : '',
    sync: { state: 'synced', reason: '', since: 0 },
    health: { state: 'healthy', reason: '', since: 0, isGivenUp: false },
    desired: { revision, message: 'Füge Cache hinzu', hash: 'h' },
    synced: undefined,
    lastRun: undefined,
    nextTry: undefined,
    failures,
    isSuspended: false,
    needsAcknowledgement: false,
    containers: { running: 0, total: 1 },
    source: {
      shown: 'https://example.org/shop/web.git',
      ref: 'main',
      path: 'web',
      file: 'compose.yaml',
    },
    target: 'unix:///run/docker.sock',
    dependsOn: [],
    ...over,
  }
}

type Bench = {
  readonly alerts: Alerts
  readonly clock: ManualClock
  readonly warnings: string[]
  /** What the time-line has of it. */
  readonly recorded: KeptEntry[]
  readonly see: (...statuses: readonly AppStatus[]) => void
}

async function bench(
  context: TestContext,
  channels: readonly AlertChannel[],
  {
    notes = memoryNotes(),
    clock = manualClock(),
    marks = [],
  }: { notes?: Notes; clock?: ManualClock; marks?: readonly CommitStatusDeclared[] } = {},
): Promise<Bench> {
  const warnings: string[] = []
  const recorded: KeptEntry[] = []
  const alerts = await openAlerts({
    instance: 'tend',
    declared: () => ({ alerts: { failures: 3, after: 600_000, channels }, commitStatus: marks }),
    notes,
    clock,
    readSecret: async (from) => ('variable' in from ? from.variable : ''),
    warn: (text) => warnings.push(text),
    record: (entry) => recorded.push(entry),
  })
  context.after(() => alerts.close())
  return {
    alerts,
    clock,
    warnings,
    recorded,
    see(...statuses) {
      for (const one of statuses) alerts.see({ type: 'app', status: one })
    },
  }
}

async function standIn(context: TestContext): Promise<WebStandIn> {
  const web = await webStandIn()
  context.after(() => web.close())
  return web
}

function channel(
  kind: AlertChannel['kind'],
  url: string,
  over: Partial<AlertChannel> = {},
): AlertChannel {
  return { name: 'ops', kind, url: { text: url }, secret: undefined, settings: {}, ...over }
}

const lines = [
  'web is <unhealthy> & exited 1',
  'Failed 3 times in a row, for 0 s.',
  'Revision: aaaaaaaaaaaa Füge Cache hinzu',
  'Source: https://example.org/shop/web.git web',
  'Target: unix:///run/docker.sock',
]
const text = lines.join('\n')

/** Headers that every request has by itself are left out. */
function exact(web: WebStandIn) {
  return web.seen.map(({ method, path, headers, body }) => {
    const { host, connection, 'content-length': length, ...rest } = headers
    assert.equal(Number(length), Buffer.byteLength(body))
    assert.ok(web.url.endsWith(host ?? ''))
    assert.ok(connection)
    return { method, path, headers: rest, body: JSON.parse(body) as unknown }
  })
}

test('the time-line has whom an alert was sent to, and that it is well again', async (context) => {
  const web = await standIn(context)
  const { alerts, see, recorded } = await bench(context, [channel('webhook', `${web.url}/hook`)])
  see(status('failed', 3))
  see(status('synced'))
  await alerts.idle()
  const told = recorded.map(({ type, key, text: words, tone }) => [type, key, words, tone])
  assert.deepEqual(told, [
    ['alert', 'stack:web', 'ops told: it keeps failing: web is <unhealthy> & exited 1', 'bad'],
    ['alert', 'stack:web', 'ops told: it is well again', 'good'],
  ])
  const quiet = await bench(context, [])
  quiet.see(status('failed', 3))
  assert.deepEqual(quiet.recorded, [], 'nobody was told')
})

test('webhook: JSON, signed over the exact bytes', async (context) => {
  const web = await standIn(context)
  const secret = { variable: planted }
  const { alerts, see, warnings } = await bench(context, [
    channel('webhook', `${web.url}/hook?x=1`, { secret }),
  ])
  see(status('failed', 3))
  await alerts.idle()
  const signature = createHmac('sha256', planted)
    .update(web.seen[0]?.body ?? '')
    .digest('hex')
  assert.deepEqual(exact(web), [
    {
      method: 'POST',
      path: '/hook?x=1',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'tend',
        'x-tend-event': 'failing',
        'x-tend-delivery': `failing-${Date.parse('2026-01-02T03:04:05Z')}-stack:web`,
        'x-tend-signature-256': `sha256=${signature}`,
      },
      body: {
        id: `failing-${Date.parse('2026-01-02T03:04:05Z')}-stack:web`,
        type: 'failing',
        app: 'stack:web',
        instance: 'tend',
        reason: 'web is <unhealthy> & exited 1',
        failures: 3,
        revision,
        message: 'Füge Cache hinzu',
        source: 'https://example.org/shop/web.git web',
        target: 'unix:///run/docker.sock',
        details: [],
        title: 'stack:web keeps failing (tend)',
        text,
        since: '2026-01-02T03:04:05.000Z',
        at: '2026-01-02T03:04:05.000Z',
      },
    },
  ])
  assert.deepEqual(warnings, [])
})

test('Slack: text in which nothing is a mention', async (context) => {
  const web = await standIn(context)
  const { alerts, see } = await bench(context, [channel('slack', `${web.url}/services/T/B/x`)])
  see(status('failed', 3), status('synced'))
  await alerts.idle()
  const headers = { 'content-type': 'application/json', 'user-agent': 'tend' }
  const escaped = text.replace('<unhealthy> &', '&lt;unhealthy&gt; &amp;')
  const [failing, recovered] = exact(web)
  assert.deepEqual(failing, {
    method: 'POST',
    path: '/services/T/B/x',
    headers,
    body: { text: `:red_circle: *stack:web keeps failing (tend)*\n${escaped}` },
  })
  assert.match(JSON.stringify(recovered?.body), /large_green_circle.*is well again/)
  assert.equal(web.seen.length, 2)
})

test('Discord: an embed that mentions nobody', async (context) => {
  const web = await standIn(context)
  const { alerts, see } = await bench(context, [channel('discord', `${web.url}/api/webhooks/1/x`)])
  see(status('failed', 3))
  await alerts.idle()
  assert.deepEqual(exact(web), [
    {
      method: 'POST',
      path: '/api/webhooks/1/x',
      headers: { 'content-type': 'application/json', 'user-agent': 'tend' },
      body: {
        embeds: [
          {
            title: 'stack:web keeps failing (tend)',
            description: text,
            color: 0xd93025,
            timestamp: '2026-01-02T03:04:05.000Z',
          },
        ],
        allowed_mentions: { parse: [] },
      },
    },
  ])
})

test('ntfy: the topic out of the address, a token in its header', async (context) => {
  const web = await standIn(context)
  const secret = { variable: planted }
  const { alerts, see } = await bench(context, [
    channel('ntfy', `${web.url}/base/alerts`, { secret }),
  ])
  see(status('failed', 3))
  await alerts.idle()
  assert.deepEqual(exact(web), [
    {
      method: 'POST',
      path: '/base/',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'tend',
        authorization: `Bearer ${planted}`,
      },
      body: {
        topic: 'alerts',
        title: 'stack:web keeps failing (tend)',
        message: text,
        priority: 4,
        tags: ['rotating_light'],
      },
    },
  ])
})

const alert: Alert = {
  id: 'failing-1-stack:web',
  type: 'failing',
  app: 'stack:web',
  instance: 'tend',
  reason: '.a line\r\nBcc: x@example.org',
  failures: 3,
  since: 0,
  at: Date.parse('2026-01-02T03:04:05Z'),
  revision,
  message: 'Füge',
  source: 's',
  target: '',
  details: [],
}

for (const [name, ways] of [
  ['TLS from the start, AUTH PLAIN', { security: 'tls', auth: 'PLAIN', tls }],
  ['STARTTLS, AUTH LOGIN', { security: 'starttls', auth: 'LOGIN', tls }],
] as const satisfies readonly (readonly [string, MailWays])[]) {
  test(`email: ${name}`, async (context) => {
    const server = await mailStandIn(ways)
    context.after(() => server.close())
    const mail = mailOf(alert, 'Tend <tend@example.org>', 'ops@example.org, Ö <o@example.org>')
    const login = { user: 'me', password: planted }
    const place = { host: '127.0.0.1', port: server.port, isTls: ways.security === 'tls' }
    await sendMail({ ...place, login, ca: pem('ca.pem') }, mail, AbortSignal.timeout(20_000))
    const [taken] = server.taken
    assert.deepEqual(taken?.login, ['me', planted])
    assert.equal(taken?.isTls, true)
    assert.equal(taken?.from, 'tend@example.org')
    assert.deepEqual(taken?.to, ['ops@example.org', 'o@example.org'])
    const [head, body] = taken?.text.split('\r\n\r\n') ?? []
    assert.deepEqual(head?.split('\r\n'), [
      'From: Tend <tend@example.org>',
      `To: ops@example.org, Ö <o@example.org>`.replace('Ö', '=?utf-8?B?w5Y=?='),
      'Subject: [Tend] stack:web keeps failing (tend)',
      'Date: Fri, 02 Jan 2026 03:04:05 +0000',
      `Message-ID: <${Buffer.from(alert.id).toString('hex')}@example.org>`,
      'Auto-Submitted: auto-generated',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
    ])
    assert.match(
      Buffer.from(body ?? '', 'base64').toString(),
      /^\.a line\r\nBcc: x@example.org\r\nFailed/,
    )
    assert.ok(!server.clear().includes(Buffer.from(planted).toString('base64').slice(0, 12)))
  })
}

test('email: no password in clear, no trust in a stranger, and what may pass is tried again', async (context) => {
  const mail = mailOf(alert, 'a@example.org', 'b@example.org')
  async function failure(
    ways: MailWays,
    over: object,
  ): Promise<{ message: string; recoverable: boolean }> {
    const server = await mailStandIn(ways)
    context.after(() => server.close())
    const place = { host: '127.0.0.1', port: server.port, isTls: ways.security === 'tls' }
    const login = undefined
    const sent = sendMail({ ...place, login, ...over }, mail, AbortSignal.timeout(20_000))
    const thrown: unknown = await sent.then(
      () => new Error('sent'),
      (error: unknown) => error,
    )
    assert.ok(thrown instanceof Error)
    assert.ok(!`${thrown.message}${String(thrown.cause)}`.includes(planted))
    return {
      message: thrown.message,
      recoverable: 'recoverable' in thrown && thrown.recoverable === true,
    }
  }
  const none = { security: 'none' } as const
  const login = { user: 'u', password: planted }
  // a name that is not known to be this machine
  const far = { login, host: '0.0.0.0' }
  assert.match((await failure({ ...none, auth: 'PLAIN' }, far)).message, /not sent in clear/)
  assert.match((await failure({ security: 'tls', tls }, {})).message, /can't be reached \(/)
  const busy = await failure({ ...none, says: { MAIL: 451 } }, {})
  assert.deepEqual(busy, { message: 'the mail server answered 451 to MAIL', recoverable: true })
  const denied = await failure({ ...none, auth: 'PLAIN', says: { AUTH: 535 } }, { login })
  assert.deepEqual(denied, {
    message: 'the mail server answered 535 to the login',
    recoverable: false,
  })
})

test('email: as declared, over the whole road', async (context) => {
  const server = await mailStandIn({ security: 'none', auth: 'PLAIN' })
  context.after(() => server.close())
  const mail = channel('email', `smtp://127.0.0.1:${server.port}`, {
    secret: { variable: planted },
    settings: { from: 'tend@example.org', to: 'ops@example.org', user: 'me' },
  })
  const { alerts, see, warnings } = await bench(context, [mail])
  see(status('failed', 3))
  await alerts.idle()
  assert.deepEqual(warnings, [])
  assert.deepEqual(server.taken[0]?.login, ['me', planted])
})

test('what persists is told when its time is over, though nothing changes', async (context) => {
  const web = await standIn(context)
  const { alerts, see, clock } = await bench(context, [channel('slack', web.url)])
  see(status('failed', 1))
  await clock.sleeping(1)
  clock.advance(599_999)
  await alerts.idle()
  assert.equal(web.seen.length, 0)
  clock.advance(1)
  await clock.sleeping(0)
  await alerts.idle()
  assert.equal(web.seen.length, 1)
  see(status('failed', 1), status('failed', 2), status('syncing', 2), status('synced'))
  await alerts.idle()
  assert.equal(web.seen.length, 2)
})

test('what may pass is tried again with back-off; the same delivery keeps its name', async (context) => {
  const web = await standIn(context)
  web.answer(503, 'hang up', 429, 200)
  const { alerts, see, clock, warnings } = await bench(context, [channel('webhook', web.url)])
  see(status('failed', 3))
  for (const delay of [500, 1_000, 2_000]) {
    await clock.sleeping(1)
    clock.advance(delay)
  }
  await alerts.idle()
  assert.equal(web.seen.length, 4)
  assert.equal(new Set(web.seen.map(({ headers }) => headers['x-tend-delivery'])).size, 1)
  assert.deepEqual(warnings, [])
})

test('what can not pass is given up and told, without the address', async (context) => {
  for (const answer of [404, 302]) {
    const web = await standIn(context)
    web.answer(answer)
    const url = `${web.url}/${planted}`
    const { alerts, see, warnings } = await bench(context, [channel('slack', url)])
    see(status('failed', 3))
    await alerts.idle()
    assert.equal(web.seen.length, 1)
    assert.match(warnings.join(), new RegExp(`alert "ops" was not told.*answered ${answer}`))
    assert.ok(!warnings.join().includes(planted))
  }
})

test('a restart tells nothing twice, and what was not yet sent is sent', async (context) => {
  const web = await standIn(context)
  const notes = memoryNotes()
  const channels = [channel('webhook', web.url)]
  web.answer(503)
  const first = await bench(context, channels, { notes })
  first.see(status('failed', 3))
  await first.clock.sleeping(1)
  await first.alerts.close()
  const second = await bench(context, channels, { notes })
  second.see(status('failed', 4))
  await second.alerts.idle()
  assert.equal(web.seen.length, 2)
  await second.alerts.close()
  const third = await bench(context, channels, { notes })
  third.see(status('failed', 5), status('synced'))
  await third.alerts.idle()
  assert.deepEqual(
    web.seen.map(({ headers }) => headers['x-tend-event']),
    ['failing', 'failing', 'recovered'],
  )
  assert.deepEqual([...(await notes.read('alerts')), ...(await notes.read('alerts-outbox'))], [])
})

test('a channel that hangs holds up nobody, and its queue has an end', async (context) => {
  const web = await standIn(context)
  const { alerts, see, clock, warnings } = await bench(context, [
    channel('slack', 'http://127.0.0.1:1/', { name: 'dead' }),
    channel('slack', web.url, { name: 'alive' }),
  ])
  const many = Array.from({ length: 150 }, (_, index) =>
    status('failed', 3, { key: `stack:${index}` }),
  )
  see(...many)
  await clock.sleeping(1)
  assert.ok(
    warnings.every((one) => one.includes('"dead"') || one.includes('too many were waiting')),
  )
  assert.ok(warnings.filter((one) => one.includes('"dead"')).length >= 49)
  await alerts.close()
})

test('an application that is gone is forgotten without a word', async (context) => {
  const web = await standIn(context)
  const notes = memoryNotes()
  const { alerts, see } = await bench(context, [channel('slack', web.url)], { notes })
  see(status('failed', 2))
  alerts.see({ type: 'gone', key: 'stack:web', at: 0 })
  await alerts.idle()
  assert.equal(web.seen.length, 0)
  assert.equal((await notes.read('alerts')).size, 0)
})

for (const { kind, path, headers, body } of [
  {
    kind: 'github',
    path: `/repos/shop/web/statuses/${revision}`,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${planted}`,
      'x-github-api-version': '2022-11-28',
    },
    body: { state: 'pending', context: 'tend/stack:web', description: 'being synced' },
  },
  {
    kind: 'gitlab',
    path: `/projects/shop%2Fweb/statuses/${revision}`,
    headers: { 'private-token': planted },
    body: { state: 'running', name: 'tend/stack:web', description: 'being synced' },
  },
  {
    kind: 'gitea',
    path: `/repos/shop/web/statuses/${revision}`,
    headers: { authorization: `token ${planted}` },
    body: { state: 'pending', context: 'tend/stack:web', description: 'being synced' },
  },
] as const) {
  test(`a commit is marked on ${kind}, each change once, also over a restart`, async (context) => {
    const web = await standIn(context)
    const notes = memoryNotes()
    const marks = [{ kind, api: web.url, repository: 'shop/web', token: { variable: planted } }]
    const { alerts, see, warnings } = await bench(context, [], { notes, marks })
    see(status('syncing'), status('syncing'))
    await alerts.idle()
    const [first] = exact(web)
    assert.deepEqual(first, {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', 'user-agent': 'tend', ...headers },
      body,
    })
    see(status('failed', 1))
    await alerts.idle()
    see(status('synced'))
    await alerts.idle()
    const states = exact(web).map((one) => (one.body as { state: string }).state)
    assert.deepEqual(
      states,
      kind === 'gitlab' ? ['running', 'failed', 'success'] : ['pending', 'failure', 'success'],
    )
    const again = await bench(context, [], { notes, marks })
    again.see(
      status('synced'),
      status('synced', 0, {
        key: 'stack:x',
        source: { ...status('synced').source, shown: '/srv/other' },
      }),
    )
    await again.alerts.idle()
    assert.equal(web.seen.length, 3)
    assert.deepEqual(warnings, [])
  })
}

test('no commit stays pending when another one was applied in its place, or with it', async (context) => {
  const web = await standIn(context)
  const forge = { kind: 'github', repository: 'shop/web', token: { variable: planted } } as const
  const marks = [{ ...forge, api: web.url }]
  const { alerts, see, warnings } = await bench(context, [], { marks })
  const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(40))
  const of = (one = '', hash: string) => ({ desired: { revision: one, message: '', hash } })
  for (const next of [
    status('syncing', 0, of(first, 'bad')),
    status('syncing', 0, of(second, 'mended')),
    // it changes nothing of it
    status('syncing', 0, of(third, 'mended')),
    status('synced', 0, of(third, 'mended')),
  ]) {
    see(next)
    await alerts.idle()
  }
  const told = exact(web).map(({ path, body }) => {
    const { state, description } = body as { state: string; description: string }
    return `${path.at(-1)} ${state}: ${description}`
  })
  assert.deepEqual(told.slice(0, 3), [
    '1 pending: being synced',
    '2 pending: being synced',
    '3 pending: being synced',
  ])
  assert.deepEqual(told.slice(3).toSorted(), [
    '1 error: superseded by 3333333',
    '2 success: synced',
    '3 success: synced',
  ])
  see(status('synced', 0, of(third, 'mended')))
  await alerts.idle()
  assert.equal(web.seen.length, 6)
  assert.deepEqual(warnings, [])
})

test('a mark that was never sent is sent by the next start', async (context) => {
  const web = await standIn(context)
  const notes = memoryNotes()
  const forge = { kind: 'gitea', repository: 'shop/web', token: { variable: planted } } as const
  const dead = [{ ...forge, api: 'http://127.0.0.1:1' }]
  const first = await bench(context, [], { notes, marks: dead })
  first.see(status('syncing'), status('synced'))
  await first.alerts.close()
  const next = await bench(context, [], { notes, marks: [{ ...forge, api: web.url }] })
  next.see(status('synced'))
  await next.alerts.idle()
  assert.deepEqual(
    exact(web).map((one) => (one.body as { state: string }).state),
    ['success'],
  )
})

test('a bad edit of tend.yaml is told at once and once, and that it was mended, also after a restart', async (context) => {
  const web = await standIn(context)
  const notes = memoryNotes()
  const channels = [channel('webhook', web.url)]
  const fault = { type: 'configuration', code: 'declaration_error' } as const
  const edit = (...messages: readonly string[]) =>
    refusedEdit(
      ['tend.yaml'],
      messages.map((message) => ({ ...fault, message })),
      0,
    )
  const told = () => exact(web).map(({ body }) => (isRecord(body) ? body : {}))
  const { alerts } = await bench(context, channels, { notes })
  alerts.see({ type: 'source', status: edit('a: unknown field') })
  alerts.see({ type: 'source', status: edit('a: unknown field', 'b: unknown field') })
  await alerts.idle()
  assert.deepEqual(
    told().map(({ type, app, source }) => [type, app, source]),
    [['failing', 'declarations', 'tend.yaml']],
  )
  assert.match(String(told()[0]?.['reason']), /a: unknown field .*stays in force/)
  await alerts.close()
  // it begins only when it reads them well
  const { alerts: next } = await bench(context, channels, { notes })
  await next.idle()
  assert.deepEqual(
    told().map(({ type }) => type),
    ['failing', 'recovered'],
  )
  next.see({ type: 'source', status: edit('c: unknown field') })
  next.see({ type: 'source', status: edit() })
  next.see({ type: 'source', status: edit() })
  await next.idle()
  assert.deepEqual(
    told().map(({ type }) => type),
    ['failing', 'recovered', 'failing', 'recovered'],
  )
})
