import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Problem, type Code } from '#model/problem.ts'
import { startKubeStandIn, type Asked } from '../../../test/testbed/kube-stand-in.ts'
import { startRelay } from '../../../test/testbed/kube-relay.ts'
import { kubernetesAt, type ClientOptions } from './client.ts'
import type { ClusterAccess } from './cluster-access.ts'

const { signal } = new AbortController()
const doing = 'could not ask'

async function start(
  t: TestContext,
  answer: (asked: Asked, count: number) => void,
  more: Partial<ClusterAccess> & ClientOptions & { readonly streams?: number } = {},
) {
  const settings = more.streams === undefined ? {} : { maxConcurrentStreams: more.streams }
  const server = await startKubeStandIn(answer, settings)
  const kubernetes = kubernetesAt({ ...server.access, ...more }, more)
  t.after(() => {
    kubernetes.close()
    server.stop()
  })
  return { server, kubernetes }
}

function fails(work: Promise<unknown>, code: Code, recoverable: boolean): Promise<void> {
  return assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof Problem, String(error))
    assert.deepEqual([error.code, error.recoverable], [code, recoverable], error.message)
    return true
  })
}

test('many calls at once share one connection, also more than the server takes at a time', async (t) => {
  const { server, kubernetes } = await start(t, (asked) => asked.reply(200, { path: asked.path }), {
    streams: 10,
  })
  const paths = Array.from({ length: 300 }, (_, index) => `/${index}`)
  const said = await Promise.all(
    paths.map((path) => kubernetes.ask('GET', path, { signal, doing })),
  )
  assert.deepEqual(
    said.map(({ body }) => body),
    paths.map((path) => ({ path })),
  )
  assert.equal(server.sessions.length, 1)
})

test('watches take no streams from calls, nor from each other', async (t) => {
  const { server, kubernetes } = await start(
    t,
    (asked) => {
      if (asked.path === '/watch') asked.begin()({ type: 'ADDED' })
      else asked.reply(200, {})
    },
    { streams: 3 },
  )
  await kubernetes.ask('GET', '/', { signal, doing })
  const first = await kubernetes.stream('/watch', { signal, doing })
  for await (const part of first) if (part.length > 0) break
  const end = new AbortController()
  for (let count = 0; count < 10; count += 1) {
    await kubernetes.stream('/watch', { signal: end.signal, doing })
  }
  await kubernetes.ask('GET', '/', { signal, doing })
  assert.ok(server.sessions.length > 3)
  end.abort()
})

test('a server that goes away in good order ends what it began, and the next call finds another', async (t) => {
  const { server, kubernetes } = await start(t, (asked, count) => {
    if (count === 1) server.sessions[0]!.goaway(0)
    setImmediate(() => asked.reply(200, { count }))
  })
  const first = await kubernetes.ask('PATCH', '/', { signal, doing, body: {} })
  const second = await kubernetes.ask('PATCH', '/', { signal, doing, body: {} })
  assert.deepEqual([first.body, second.body], [{ count: 1 }, { count: 2 }])
})

test('what the server refused to begin is asked again, whatever it is', async (t) => {
  const { kubernetes } = await start(t, (asked, count) => {
    if (count === 1) asked.stream.close(7)
    else asked.reply(200, { count })
  })
  const { body } = await kubernetes.ask('PATCH', '/', { signal, doing, body: {} })
  assert.deepEqual(body, { count: 2 })
})

test('a read whose connection is lost is asked again; a write is a problem that may be tried again', async (t) => {
  const { server, kubernetes } = await start(t, (asked, count) => {
    if (count === 2 || count === 4) server.sessions.at(-1)!.destroy()
    else asked.reply(200, { count })
  })
  await kubernetes.ask('GET', '/', { signal, doing })
  const again = await kubernetes.ask('GET', '/', { signal, doing })
  assert.deepEqual(again.body, { count: 3 })
  await fails(kubernetes.ask('PATCH', '/', { signal, doing, body: {} }), 'unreachable', true)
})

test('no answer in time, and no server at all', async (t) => {
  const { server, kubernetes } = await start(t, () => {})
  await fails(kubernetes.ask('GET', '/', { signal, doing, silence: 30 }), 'timed_out', true)
  server.stop()
  const nowhere = kubernetesAt(server.access)
  await fails(nowhere.ask('GET', '/', { signal, doing }), 'unreachable', true)
})

test('a line that went dead without a word ends a watch', async (t) => {
  const { server } = await start(t, (asked) => asked.begin()({ type: 'ADDED' }))
  const relay = await startRelay(Number(new URL(server.access.server).port))
  t.after(() => relay.stop())
  const address = `http://127.0.0.1:${relay.port}`
  const times = { connect: 10_000, ping: 20, pong: 200 }
  const kubernetes = kubernetesAt({ ...server.access, server: address }, { times })
  const drained = (async () => {
    for await (const part of await kubernetes.stream('/watch', { signal, doing })) {
      assert.ok(part.length > 0)
      relay.freeze()
    }
  })()
  await fails(drained, 'timed_out', true)
  kubernetes.close()
})

test('an abort ends a call and a watch with the reason it gives', async (t) => {
  const { kubernetes } = await start(t, (asked) => {
    if (asked.path === '/watch') asked.begin()({ type: 'ADDED' })
  })
  const enough = new Error('enough')
  for (const path of ['/', '/watch']) {
    const end = new AbortController()
    const work = (async () => {
      const ask = { signal: end.signal, doing }
      if (path === '/') await kubernetes.ask('GET', path, ask)
      else for await (const part of await kubernetes.stream(path, ask)) end.abort(part && enough)
    })()
    if (path === '/') end.abort(enough)
    await assert.rejects(work, enough)
  }
})

test('a server that is too busy is asked again when it says, and not for ever', async (t) => {
  const { server, kubernetes } = await start(t, (asked, count) => {
    const isBusy = asked.path === '/busy' || count < 3
    asked.reply(isBusy ? 429 : 200, { kind: 'Status', message: 'later' }, { 'retry-after': '0' })
  })
  await kubernetes.ask('PATCH', '/', { signal, doing, body: {} })
  assert.equal(server.asked.length, 3)
  await fails(kubernetes.ask('GET', '/busy', { signal, doing }), 'too_many', true)
  assert.equal(server.asked.length, 12)
})

test('a refused token is renewed once', async (t) => {
  const asked: boolean[] = []
  const credential: ClusterAccess['credential'] = (isStale) => {
    asked.push(isStale)
    return Promise.resolve({ authorization: isStale ? 'Bearer new' : 'Bearer old' })
  }
  const { kubernetes } = await start(
    t,
    ({ headers, path, reply }) =>
      reply(headers.authorization === 'Bearer new' && path === '/' ? 200 : 401, {}),
    { credential },
  )
  await kubernetes.ask('GET', '/', { signal, doing })
  assert.deepEqual(asked, [false, true])
  await fails(kubernetes.ask('GET', '/no', { signal, doing }), 'unauthorized', false)
})

test('calls in the name of another say so, over the same connection', async (t) => {
  const { server, kubernetes } = await start(t, (asked) => asked.reply(200, {}))
  const other = kubernetes.as({
    user: 'system:serviceaccount:apps:deployer',
    groups: ['a', 'b'],
    extra: { 'example.com/Scope': ['x'] },
  })
  await other.ask('GET', '/', { signal, doing })
  await kubernetes.ask('GET', '/', { signal, doing })
  const [first, second] = server.asked.map(({ headers }) => headers)
  assert.equal(first!['impersonate-user'], 'system:serviceaccount:apps:deployer')
  assert.equal(first!['impersonate-group'], 'a, b')
  assert.equal(first!['impersonate-extra-example.com%2fscope'], 'x')
  assert.equal(second!['impersonate-user'], undefined)
  assert.equal(server.sessions.length, 1)
})
