/** Webhooks of the forges: closed without a secret, proven by it, handled once, and only for what is followed. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import type { HookDeclared } from '#model/declaration.ts'
import type { Pushed } from '#model/service.ts'
import { deliveriesOf } from '#server/hooks/deliveries.ts'
import { memoryNotes } from '#store/memory.ts'
import { fakeClock } from '../fake/clock.ts'
import { startWorld } from './server-world.ts'

const secret = 'planted-hook-secret'
const repository = 'https://git.example/team/stacks.git'
const { signal } = new AbortController()

function hook(kind: HookDeclared['kind'], more: Partial<HookDeclared> = {}): HookDeclared {
  return { kind, secret: { variable: 'HOOK' }, isOpen: false, ...more }
}

async function start(t: TestContext, hooks: readonly HookDeclared[], clock = fakeClock()) {
  const secrets = { HOOK: secret, OTHER: 'another-hook-secret' }
  const world = await startWorld({ hooks, secrets, clock, names: ['web'] })
  t.after(() => world.served.close())
  return world
}

function hmac(body: string | Buffer, key = secret): string {
  return createHmac('sha256', key).update(body).digest('hex')
}

let count = 0
function push(ref = 'refs/heads/main', more: object = {}): string {
  count += 1
  const after = String(count).padStart(40, 'a')
  return JSON.stringify({ ref, after, repository: { clone_url: repository }, ...more })
}

function github(body: string, event = 'push', id = `d${count}`) {
  const headers = {
    'x-github-event': event,
    'x-github-delivery': id,
    'x-hub-signature-256': `sha256=${hmac(body)}`,
  }
  return { headers, body }
}

test('each forge proves itself in its own way', async (t) => {
  const kinds = ['github', 'gitlab', 'gitea', 'bitbucket', 'generic'] as const
  const { ask, service } = await start(
    t,
    kinds.map((kind) => hook(kind)),
  )
  const changes = [{ new: { type: 'branch', name: 'main', target: { hash: 'abc' } } }]
  const links = { html: { href: repository } }
  const cloud = JSON.stringify({ repository: { links }, push: { changes } })
  const requests = {
    github: (body: string) => github(body).headers,
    gitlab: () => ({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret }),
    gitea: (body: string) => ({ 'x-gitea-event': 'push', 'x-gitea-signature': hmac(body) }),
    bitbucket: (body: string) => ({
      'x-event-key': 'repo:push',
      'x-hub-signature': `sha256=${hmac(body)}`,
    }),
    generic: (body: string) => ({ 'x-tend-signature': hmac(body) }),
  }
  for (const kind of kinds) {
    const body = kind === 'bitbucket' ? cloud : push()
    const headers = requests[kind](body)
    const before = service.asked.length
    const right = await ask('POST', `/api/v1/hooks/${kind}`, { headers, body })
    assert.deepEqual([kind, right.status, right.json.apps], [kind, 202, ['stack:web']])
    assert.deepEqual(service.asked.slice(before), ['pushed refs/heads/main'])
    const tampered = { headers: requests[kind](`${body} `), body }
    if (kind === 'gitlab') tampered.headers = { ...requests.gitlab(), 'x-gitlab-token': 'wrong' }
    const wrong = await ask('POST', `/api/v1/hooks/${kind}`, tampered)
    assert.deepEqual([wrong.status, wrong.json.detail], [401, 'invalid signature'], kind)
    const bare = await ask('POST', `/api/v1/hooks/${kind}`, { body })
    assert.deepEqual([bare.status, bare.json.detail], [401, 'missing signature header'], kind)
    assert.equal(service.asked.length, before + 1)
  }
})

test('Forgejo has a header of its own', async (t) => {
  const { ask } = await start(t, [hook('gitea')])
  const body = push()
  const headers = { 'x-forgejo-event': 'push', 'x-forgejo-signature': hmac(body) }
  assert.equal((await ask('POST', '/api/v1/hooks/gitea', { headers, body })).status, 202)
})

test('without a secret a webhook is off, unless it was opened explicitly', async (t) => {
  const { ask } = await start(t, [
    hook('github', { secret: undefined }),
    hook('gitlab', { secret: { variable: 'EMPTY' } }),
  ])
  const body = push()
  for (const kind of ['github', 'gitlab', 'gitea']) {
    const { status, json } = await ask('POST', `/api/v1/hooks/${kind}`, github(body))
    assert.equal(status, 403)
    assert.match(json.detail, /are off: no secret is declared/)
  }
  const origin = await ask('POST', '/api/webhook', github(body))
  assert.deepEqual([origin.status, Object.keys(origin.json)], [403, ['error']])
  const open = await start(t, [hook('github', { secret: undefined, isOpen: true })])
  const opened = await open.ask('POST', '/api/webhook', {
    body,
    headers: { 'x-github-event': 'push' },
  })
  assert.equal(opened.status, 200)
})

test("the origin's path: its answers, its errors, any body", async (t) => {
  const { ask, service } = await start(t, [hook('github')])
  const body = push()
  const got = await ask('POST', '/api/webhook', github(body))
  assert.deepEqual(got.json, { status: 'refreshing', message: 'webhook refresh refreshing' })
  const missing = await ask('POST', '/api/webhook', { body })
  assert.deepEqual([missing.status, missing.json], [401, { error: 'missing signature header' }])
  const wrong = { body, headers: { 'x-hub-signature-256': 'sha256=00' } }
  const invalid = await ask('POST', '/api/webhook', wrong)
  assert.deepEqual([invalid.status, invalid.json], [401, { error: 'invalid signature' }])
  for (const any of ['', 'not json', '[]', '{"a":1}']) {
    const headers = { 'x-hub-signature-256': `sha256=${hmac(any)}` }
    assert.equal((await ask('POST', '/api/webhook', { headers, body: any })).status, 200)
    assert.equal(service.asked.at(-1), 'pushed any')
  }
  const waited = { 'x-hub-signature-256': `sha256=${hmac('{"a":2}')}` }
  const ended = await ask('POST', '/api/webhook?wait=true', { headers: waited, body: '{"a":2}' })
  assert.equal(ended.json.message, '1 applications are as pushed')
  service.setSource({ state: 'refreshing' })
  // known to the forge under another address
  const mirrored = push('refs/heads/main', {
    repository: { clone_url: 'https://mirror.example/x' },
  })
  assert.equal((await ask('POST', '/api/webhook', github(mirrored))).json.status, 'queued')
})

test('handled once, and pings and other refs not at all', async (t) => {
  const { ask, service } = await start(t, [hook('github')])
  const path = '/api/v1/hooks/github'
  const body = push()
  const first = github(body)
  assert.equal((await ask('POST', path, first)).status, 202)
  for (const id of [undefined, 'another-id']) {
    const again = await ask(
      'POST',
      path,
      github(body, 'push', id ?? first.headers['x-github-delivery']),
    )
    assert.deepEqual([again.status, again.json.status], [200, 'ignored'])
    assert.match(again.json.message, /already/)
  }
  const ping = await ask('POST', path, github('{"zen":"x"}', 'ping'))
  assert.deepEqual([ping.status, ping.json.status], [200, 'ignored'])
  for (const ref of ['refs/heads/other', 'refs/tags/v1']) {
    const other = await ask('POST', path, github(push(ref)))
    assert.deepEqual([other.status, other.json.status], [200, 'ignored'])
  }
  const deleted = push('refs/heads/main', { after: '0'.repeat(40) })
  assert.equal((await ask('POST', path, github(deleted))).json.status, 'ignored')
  assert.deepEqual(
    service.asked.filter((one) => one === 'pushed refs/heads/main'),
    ['pushed refs/heads/main'],
  )
})

test('what a forge delivered counts once, whatever headers are taken off or put on, also after a restart', async (t) => {
  const clock = fakeClock()
  const notes = memoryNotes()
  const hooks = [hook('github'), hook('gitea'), hook('bitbucket'), hook('generic')]
  const open = () => startWorld({ hooks, secrets: { HOOK: secret }, clock, names: ['web'], notes })
  const first = await open()
  const pushed = push()
  assert.equal((await first.ask('POST', '/api/webhook', github(pushed))).json.status, 'refreshing')
  // also what was nothing to do when it came
  const commented = '{"action":"created","repository":{}}'
  const comment = github(commented, 'issue_comment')
  assert.equal((await first.ask('POST', '/api/webhook', comment)).json.status, 'ignored')

  async function replayed({ ask, service }: typeof first): Promise<void> {
    const before = service.asked.length
    for (const body of [pushed, commented]) {
      const mac = hmac(body)
      const forms = {
        '/api/webhook': [
          { 'x-hub-signature-256': `sha256=${mac}` },
          { 'x-hub-signature-256': `sha256=${mac}`, 'x-tend-delivery': 'new' },
          { 'x-tend-signature': mac },
          { 'x-gitea-event': 'push', 'x-gitea-signature': mac },
          github(body, 'push', 'new').headers,
        ],
        '/api/v1/hooks/generic': [{ 'x-tend-signature': mac }],
        '/api/v1/hooks/gitea': [{ 'x-gitea-event': 'push', 'x-gitea-signature': mac }],
        '/api/v1/hooks/bitbucket': [{ 'x-event-key': 'repo:push', 'x-hub-signature': mac }],
      }
      for (const [path, headers] of Object.entries(forms).flatMap(([one, all]) =>
        all.map((each) => [one, each] as const),
      )) {
        const { status, json } = await ask('POST', path, { headers, body })
        assert.deepEqual([status, json.status], [200, 'ignored'], JSON.stringify([path, headers]))
      }
    }
    assert.equal(service.asked.length, before)
  }
  await replayed(first)
  await first.served.close()
  const second = await open()
  t.after(() => second.served.close())
  await replayed(second)
  // those who sign a body of their own send the same one each time
  const own = { headers: { 'x-hub-signature-256': `sha256=${hmac('{}')}` }, body: '{}' }
  for (const _time of [1, 2, 3]) {
    assert.equal((await second.ask('POST', '/api/webhook', own)).json.status, 'refreshing')
  }
})

test('a forge may come to an open service by another name than a browser', async (t) => {
  const world = { hooks: [hook('github')], secrets: { HOOK: secret }, isOpen: true }
  const { ask, served } = await startWorld({ ...world, notes: memoryNotes() })
  t.after(() => served.close())
  const sent = github(push())
  const headers = { ...sent.headers, host: 'tend.example' }
  assert.equal((await ask('POST', '/api/webhook', { ...sent, headers })).status, 200)
  assert.equal((await ask('GET', '/api/stacks', { headers })).status, 403)
})

test('a form of GitHub holds the same', async (t) => {
  const { ask } = await start(t, [hook('github')])
  const sent = github(new URLSearchParams({ payload: push() }).toString())
  const headers = { ...sent.headers, 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await ask('POST', '/api/v1/hooks/github', { ...sent, headers })).status, 202)
})

test('a generic webhook with a timestamp holds for five minutes and once', async (t) => {
  const clock = fakeClock()
  const { ask } = await start(t, [hook('generic')], clock)
  function signed(seconds: number, body: string) {
    const headers = {
      'x-tend-timestamp': String(seconds),
      'x-tend-signature': `sha256=${hmac(`${seconds}.${body}`)}`,
    }
    return ask('POST', '/api/v1/hooks/generic', { headers, body })
  }
  const now = Math.floor(clock.now() / 1000)
  assert.equal((await signed(now, '{}')).status, 202)
  assert.equal((await signed(now, '{}')).json.status, 'ignored')
  const old = await signed(now - 301, '{}')
  assert.deepEqual([old.status, old.json.detail], [401, 'the timestamp is too far from now'])
  await clock.sleep(301_000, signal)
  assert.equal((await signed(now, '{"a":1}')).status, 401)
})

test('a timestamp can not be left out, taken for a part of the body, or forgotten by a restart', async (t) => {
  const clock = fakeClock()
  const notes = memoryNotes()
  const hooks = [hook('generic'), hook('github'), hook('gitea'), hook('bitbucket')]
  const open = () => startWorld({ hooks, secrets: { HOOK: secret }, clock, names: ['web'], notes })
  const first = await open()
  const body = '{"plain":true}'
  const plain = { headers: { 'x-tend-signature': hmac(body) }, body }
  const path = '/api/v1/hooks/generic'
  assert.equal(
    (await first.ask('POST', path, plain)).status,
    202,
    'one who never sent one need not',
  )
  const now = Math.floor(clock.now() / 1000)
  const mac = hmac(`${now}.${body}`)
  const whole = { headers: { 'x-tend-timestamp': String(now), 'x-tend-signature': mac }, body }
  const replay = `${now}.${body}`
  const replays = {
    [path]: { 'x-tend-signature': mac },
    '/api/webhook': { 'x-tend-signature': mac },
    '/api/v1/hooks/github': { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${mac}` },
    '/api/v1/hooks/gitea': { 'x-gitea-event': 'push', 'x-gitea-signature': mac },
    '/api/v1/hooks/bitbucket': { 'x-event-key': 'repo:push', 'x-hub-signature': `sha256=${mac}` },
  }
  for (const [where, headers] of Object.entries(replays)) {
    const { status } = await first.ask('POST', where, { headers, body: replay })
    assert.equal(status, 401, `before it was ever used: ${where}`)
  }
  assert.equal((await first.ask('POST', path, whole)).status, 202)
  assert.equal((await first.ask('POST', path, plain)).status, 401)
  const pushed = github(push())
  assert.equal((await first.ask('POST', '/api/v1/hooks/github', pushed)).status, 202)
  await first.served.close()

  const second = await open()
  t.after(() => second.served.close())
  const left = await second.ask('POST', path, plain)
  assert.equal(left.status, 401)
  assert.match(left.text, /X-Tend-Timestamp is missing/)
  for (const [where, headers] of Object.entries(replays)) {
    const { status } = await second.ask('POST', where, { headers, body: replay })
    assert.equal(status, 401, where)
  }
  assert.equal((await second.ask('POST', path, whole)).json.status, 'ignored')
  const again = await second.ask('POST', '/api/v1/hooks/github', pushed)
  assert.equal(again.json.status, 'ignored', 'deliveries are remembered across restarts')
  assert.ok(!JSON.stringify([...(await notes.read('hook-stamped'))]).includes(secret))
})

test('of deliveries only the newest are kept', async () => {
  const notes = memoryNotes()
  const deliveries = deliveriesOf(notes, 3, () => 1)
  for (const mark of ['a', 'b', 'c', 'd']) assert.equal(await deliveries.accept([mark]), true)
  assert.equal(await deliveries.accept(['d']), false)
  assert.equal((await notes.read('hook-delivery')).size, 3)
  assert.equal(await deliveries.accept(['a']), true)
})

test('?wait=true says what could not be read, and what is not as pushed though nothing failed', async (t) => {
  const { ask, service } = await start(t, [hook('github')])
  const path = '/api/v1/hooks/github?wait=true'
  const pushed = service.pushed.bind(service)
  service.pushed = (given) => {
    const asked = pushed(given)
    const unread = { type: 'runtime', code: 'git_error', message: 'the host is down' } as const
    const done = asked.done.then((all) => all.map((one) => ({ ...one, unread })))
    return { ...asked, done }
  }
  const deaf = await ask('POST', path, github(push()))
  assert.deepEqual(
    [deaf.json.status, deaf.json.message],
    ['failed', 'what was pushed could not be read: the host is down'],
  )
  service.pushed = (given) => {
    const asked = pushed(given)
    const status = { ...service.app('stack:web'), state: 'suspended', reason: 'suspended' } as const
    const done = asked.done.then((all) => all.map(() => ({ status, outcome: undefined })))
    return { ...asked, done }
  }
  const held = await ask('POST', path, github(push('refs/heads/main', { again: true })))
  assert.deepEqual(
    [held.json.status, held.json.message],
    ['completed', '0 of 1 applications are as pushed, not so: stack:web (suspended)'],
  )
})

test('?wait=true answers with the outcome', async (t) => {
  const { ask, service } = await start(t, [hook('github')])
  const path = '/api/v1/hooks/github?wait=true'
  const good = await ask('POST', path, github(push()))
  const outcome = { key: 'stack:web', state: 'synced', outcome: 'succeeded', reason: '' }
  assert.deepEqual(
    [good.status, good.json.status, good.json.outcomes],
    [200, 'completed', [outcome]],
  )
  service.outcome = 'failed'
  const bad = await ask('POST', path, github(push()))
  assert.deepEqual([bad.status, bad.json.status], [200, 'failed'])
  assert.equal(bad.json.message, 'failed: stack:web')
})

test('a secret speaks for its own source', async (t) => {
  const source = { kind: 'git', ref: 'main', credential: undefined, submodules: false } as const
  const { ask } = await start(t, [
    hook('github', { source: { ...source, url: 'git@git.example:team/stacks.git' } }),
    hook('github', {
      source: { ...source, url: 'https://git.example/others/stacks.git' },
      secret: { variable: 'OTHER' },
    }),
  ])
  const body = push()
  const own = github(body)
  const others = {
    ...own.headers,
    'x-hub-signature-256': `sha256=${hmac(body, 'another-hook-secret')}`,
  }
  const refused = await ask('POST', '/api/v1/hooks/github', { body, headers: others })
  assert.equal(refused.status, 403)
  assert.match(refused.json.detail, /does not speak for the repository/)
  assert.notEqual((await ask('POST', '/api/v1/hooks/github', own)).status, 403)
})

test('who pushed is told with the push, as far as a secret proves it', async (t) => {
  const { ask, service } = await start(t, [hook('github'), hook('gitlab'), hook('bitbucket')])
  const told: (string | undefined)[] = []
  const pushed = service.pushed.bind(service)
  const heard = (given: Pushed) => {
    told.push(given.by)
    return pushed(given)
  }
  Object.assign(service, { pushed: heard })
  await ask('POST', '/api/v1/hooks/github', github(push(undefined, { pusher: { name: 'ada' } })))
  await ask('POST', '/api/v1/hooks/github', github(push()))
  await ask('POST', '/api/v1/hooks/gitlab', {
    headers: { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret },
    body: push(undefined, { user_username: `grace\u001b[1m${'x'.repeat(200)}` }),
  })
  assert.deepEqual(told.slice(0, 2), ['ada (github)', 'github'])
  assert.match(told[2] ?? '', /^grace\S{90,110} \(gitlab\)$/)
  assert.ok(!told[2]?.includes('\u001b'))
  const open = await start(t, [hook('github', { secret: undefined, isOpen: true })])
  Object.assign(open.service, { pushed: heard })
  await open.ask(
    'POST',
    '/api/v1/hooks/github',
    github(push(undefined, { pusher: { name: 'eve' } })),
  )
  assert.equal(told[3], 'github', 'anybody may have written it')
})

test('a secret for one source wakes no other, whatever its body leaves out, also on the path of docker-cd', async (t) => {
  const git = { kind: 'git', ref: 'main', credential: undefined, submodules: false } as const
  const url = 'https://git.example/others/stacks.git'
  const { ask, service } = await start(t, [hook('github', { source: { ...git, url } })])
  const asked: Pushed[] = []
  const pushed = service.pushed.bind(service)
  Object.assign(service, {
    pushed(given: Pushed) {
      asked.push(given)
      return pushed(given)
    },
  })
  for (const body of ['', '{}', '{"ref":"refs/heads/main"}', '{"ref":"refs/heads/other"}']) {
    const headers = { 'x-hub-signature-256': `sha256=${hmac(body)}` }
    const { json } = await ask('POST', '/api/webhook', { headers, body })
    assert.equal(json.status, 'ignored', body)
    assert.ok(
      asked.every(({ urls }) => urls.length === 1 && urls[0] === url),
      body,
    )
  }
  assert.equal(asked.length, 4)
})

test('with several repositories an address that nobody follows wakes none of them', async (t) => {
  const { ask, service } = await start(t, [hook('github')])
  const [first] = service.sources()
  const mirrored = () =>
    push('refs/heads/main', { repository: { clone_url: 'https://mirror.example/x' } })
  assert.equal((await ask('POST', '/api/webhook', github(mirrored()))).json.status, 'refreshing')
  Object.assign(service, { sources: () => [first, { ...first, shown: 'https://git.example/b' }] })
  const { json } = await ask('POST', '/api/webhook', github(mirrored()))
  assert.equal(json.status, 'ignored')
  assert.match(json.message, /no source follows refs\/heads\/main of the repository/)
  const other = await ask('POST', '/api/v1/hooks/github', github(push('refs/heads/\u009bx')))
  assert.deepEqual([other.status, other.json.status], [200, 'ignored'])
  assert.match(other.json.message, /no source follows refs\/heads\/\\u009bx of the repository/)
})

test('no more than 1 MiB, and secrets are nowhere to be seen', async (t) => {
  const { ask, log } = await start(t, [hook('github'), hook('gitlab')])
  const large = await ask('POST', '/api/v1/hooks/github', github('x'.repeat(1024 * 1024 + 1)))
  assert.deepEqual([large.status, large.json.code], [413, 'too_large'])
  const most = await ask('POST', '/api/webhook', github('x'.repeat(1024 * 1024)))
  assert.equal(most.status, 200)
  const headers = { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': `${secret}x` }
  const wrong = await ask('POST', '/api/v1/hooks/gitlab', { headers, body: push() })
  assert.equal(wrong.status, 401)
  assert.ok(![large.text, wrong.text, ...log].join().includes(secret))
})

test('wrong signatures are soon too many', async (t) => {
  const { ask } = await start(t, [hook('github')])
  const statuses = new Set<number>()
  for (let tries = 0; tries < 12; tries += 1) {
    statuses.add((await ask('POST', '/api/webhook', { body: '{}' })).status)
  }
  assert.deepEqual([...statuses], [401, 429])
  assert.equal((await ask('POST', '/api/webhook', github(push()))).status, 200)
})
