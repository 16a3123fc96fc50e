/** Two servers on the same notes, as replicas are: who comes in at one is known at the other, and what one handled the other does not. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { createToken } from '#server/access/tokens.ts'
import { memoryNotes } from '#store/memory.ts'
import { fakeClock } from '../fake/clock.ts'
import { startWorld, type Answered, type World } from './server-world.ts'

const secret = 'planted-hook-secret'

async function both(t: TestContext) {
  const base = fakeClock()
  let later = 0
  const clock = { ...base, now: () => base.now() + later }
  const notes = memoryNotes()
  const made = await createToken(notes, clock, { name: 'ada', role: 'sync' })
  const hooks = (['github', 'generic'] as const).map((kind) => {
    return { kind, secret: { variable: 'HOOK' }, isOpen: false }
  })
  const wishes = { notes, clock, hooks, secrets: { HOOK: secret }, names: ['web'] }
  const [one, other] = [await startWorld(wishes), await startWorld(wishes)]
  t.after(() => Promise.all([one.served.close(), other.served.close()]))
  return { one, other, text: made.text, pass: (time: number) => void (later += time) }
}

function pushed(number: number) {
  const repository = { clone_url: 'https://git.example/team/stacks.git' }
  const after = String(number).padStart(40, 'a')
  const body = JSON.stringify({ ref: 'refs/heads/main', after, repository })
  const mac = createHmac('sha256', secret).update(body).digest('hex')
  const headers = {
    'x-github-event': 'push',
    'x-github-delivery': `d${number}`,
    'x-hub-signature-256': `sha256=${mac}`,
  }
  return { headers, body }
}

function generic(body: string, seconds?: number) {
  const signed = seconds === undefined ? body : `${seconds}.${body}`
  const signature = createHmac('sha256', secret).update(signed).digest('hex')
  const stamp = seconds === undefined ? {} : { 'x-tend-timestamp': String(seconds) }
  return { headers: { 'x-tend-signature': signature, ...stamp }, body }
}

function fromBrowser({ served }: World, cookie?: string): Readonly<Record<string, string>> {
  const host = `127.0.0.1:${served.address.port}`
  const own = { host, origin: `http://${host}` }
  return cookie === undefined ? own : { ...own, cookie }
}

function cookieOf({ headers }: Answered): string {
  return (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
}

test('a delivery that one handled is ignored by the other, also when both get it at once', async (t) => {
  const { one, other } = await both(t)
  const path = '/api/v1/hooks/github'
  // each has handled some already
  assert.equal((await one.ask('POST', path, pushed(1))).status, 202)
  assert.equal((await other.ask('POST', path, pushed(2))).status, 202)
  assert.equal((await one.ask('POST', path, pushed(3))).status, 202)
  assert.equal((await other.ask('POST', path, pushed(3))).json.status, 'ignored')
  const sent = pushed(4)
  const answers = await Promise.all([one, other].map((each) => each.ask('POST', path, sent)))
  assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['200', '202'])
  // without the headers of the forge it is no other one
  const bare = { ...sent, headers: { 'x-tend-signature': sent.headers['x-hub-signature-256'] } }
  for (const each of [one, other]) {
    assert.equal((await each.ask('POST', '/api/v1/hooks/generic', bare)).json.status, 'ignored')
  }
})

test('a timestamp that was sent to one can not be left out at the other', async (t) => {
  const { one, other } = await both(t)
  const path = '/api/v1/hooks/generic'
  for (const each of [one, other]) {
    assert.equal((await each.ask('POST', path, generic('{"plain":1}'))).status, 202)
  }
  const seconds = Math.floor(fakeClock().now() / 1000)
  assert.equal((await one.ask('POST', path, generic('{}', seconds))).status, 202)
  assert.equal((await other.ask('POST', path, generic('{"plain":2}'))).status, 401)
})

test('who logs in at one is known at the other, and who logs out is known nowhere', async (t) => {
  const { one, other, text, pass } = await both(t)
  const path = '/api/v1/session'
  const body = JSON.stringify({ token: text })
  // the other one has read its logins before
  await other.ask('GET', '/api/v1/me', { headers: fromBrowser(other, 'tend_session=none') })
  pass(1_000)
  const cookie = cookieOf(await one.ask('POST', path, { headers: fromBrowser(one), body }))
  const there = () => other.ask('GET', '/api/v1/me', { headers: fromBrowser(other, cookie) })
  assert.equal((await there()).json.name, 'ada')
  assert.equal((await one.ask('DELETE', path, { headers: fromBrowser(one, cookie) })).status, 200)
  pass(2_000)
  assert.equal((await there()).status, 401)
})

test('a link that one made logs in at the other, once', async (t) => {
  const { one, other, text } = await both(t)
  const path = '/api/v1/session'
  const headers = { authorization: `Bearer ${text}` }
  async function made(): Promise<string> {
    const { code } = (await one.ask('POST', `${path}/link`, { headers })).json
    return JSON.stringify({ code })
  }
  const first = await made()
  const there = await other.ask('POST', path, { headers: fromBrowser(other), body: first })
  assert.equal(there.status, 200)
  const body = await made()
  const used = await Promise.all(
    [one, other].map((each) => each.ask('POST', path, { headers: fromBrowser(each), body })),
  )
  assert.deepEqual(used.map(({ status }) => String(status)).toSorted(), ['200', '401'])
  const again = await other.ask('POST', path, { headers: fromBrowser(other), body })
  assert.equal(again.status, 401)
})
