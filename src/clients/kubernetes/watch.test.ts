import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Clock } from '#model/clock.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { startKubeStandIn, type Asked } from '../../../test/testbed/kube-stand-in.ts'
import { kubernetesAt } from './client.ts'
import { discoveryOf, type ApiKind } from './discovery.ts'
import { listObjects } from './list.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { watchObjects, type WatchEvent } from './watch.ts'

const { signal } = new AbortController()
const maps: ApiKind = {
  apiVersion: 'v1',
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  isNamespaced: true,
  verbs: [],
  subresources: [],
}
/** Time goes on by an hour at each look, and nobody waits. */
function hasty(): Clock {
  let now = 0
  return { now: () => (now += 3_600_000), sleep: () => Promise.resolve(), random: () => 0 }
}

async function start(t: TestContext, answer: (asked: Asked, count: number) => void) {
  const server = await startKubeStandIn(answer)
  const kubernetes = kubernetesAt(server.access)
  t.after(() => {
    kubernetes.close()
    server.stop()
  })
  return { server, kubernetes }
}

function object(name: string, resourceVersion = '1'): JsonRecord {
  return { metadata: { name, resourceVersion } }
}

function list(names: readonly string[], resourceVersion: string, token = '') {
  return { metadata: { resourceVersion, continue: token }, items: names.map((n) => object(n)) }
}

const gone = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }

function wordsOf(event: WatchEvent): string {
  const name = (each: JsonRecord) => metadataOf(each).name
  if (event.kind === 'listed') return `listed ${event.objects.map(name).join(',')}`
  return event.kind === 'lost'
    ? `lost ${event.problem.code}`
    : `${event.kind} ${name(event.object)}`
}

async function first(events: AsyncIterable<WatchEvent>, count: number): Promise<readonly string[]> {
  const heard: string[] = []
  for await (const event of events) if (heard.push(wordsOf(event)) === count) break
  return heard
}

test('pages are put together, and items say what they are', async (t) => {
  const { server, kubernetes } = await start(t, ({ query, reply }) => {
    reply(200, query.get('continue') === 'next' ? list(['c'], '7') : list(['a', 'b'], '7', 'next'))
  })
  const selection = { namespace: 'apps', labels: 'app in (x,y)' }
  const { objects, resourceVersion } = await listObjects(kubernetes, maps, selection, signal, 2)
  assert.equal(resourceVersion, '7')
  assert.deepEqual(objects[2], { ...object('c'), apiVersion: 'v1', kind: 'ConfigMap' })
  const [asked] = server.asked
  assert.equal(asked!.path, '/api/v1/namespaces/apps/configmaps')
  assert.deepEqual(
    [asked!.query.get('limit'), asked!.query.get('labelSelector')],
    ['2', 'app in (x,y)'],
  )
})

test('a list whose next page is gone is taken whole', async (t) => {
  const { kubernetes } = await start(t, ({ query, reply }) => {
    if (query.get('continue') !== null) return reply(410, gone)
    return reply(200, query.has('limit') ? list(['a'], '1', 'next') : list(['a', 'b', 'c'], '2'))
  })
  const { objects } = await listObjects(kubernetes, maps, {}, signal)
  assert.equal(objects.length, 3)
})

test('a watch that ends goes on where the last event or bookmark was', async (t) => {
  const { server, kubernetes } = await start(t, (asked, count) => {
    if (count === 1) return asked.reply(200, list(['a'], '5'))
    const say = asked.begin()
    if (count === 2) say({ type: 'ADDED', object: object('b', '6') })
    if (count === 2) say({ type: 'BOOKMARK', object: object('', '9') })
    if (count === 3) say({ type: 'DELETED', object: object('b', '10') })
    return count === 2 ? asked.stream.end() : undefined
  })
  const events = watchObjects(kubernetes, maps, {}, { clock: hasty(), signal })
  assert.deepEqual(await first(events, 3), ['listed a', 'added b', 'removed b'])
  const versions = server.asked.map(({ query }) => query.get('resourceVersion'))
  assert.deepEqual(versions, [null, '5', '9'])
})

test('when the past is gone all is listed anew, however that is said', async (t) => {
  const { kubernetes } = await start(t, (asked, count) => {
    if (count % 2 === 1) return asked.reply(200, list([`a${count}`], String(count)))
    return count === 2 ? asked.begin()({ type: 'ERROR', object: gone }) : asked.reply(410, gone)
  })
  const events = watchObjects(kubernetes, maps, {}, { clock: hasty(), signal })
  assert.deepEqual(await first(events, 3), ['listed a1', 'listed a3', 'listed a5'])
})

test('a connection that breaks in the midst is taken up again, and said to be lost only when it stays so', async (t) => {
  const { server, kubernetes } = await start(t, (asked, count) => {
    if (count === 1) return asked.reply(200, list([], '5'))
    if (count === 2) {
      asked.begin()({ type: 'ADDED', object: object('b', '6') })
      return void setImmediate(() => server.sessions.at(-1)!.destroy())
    }
    if (count < 6) return asked.reply(500, { kind: 'Status', message: 'etcd is away' })
    return asked.begin()({ type: 'MODIFIED', object: object('b', '8') })
  })
  const events = watchObjects(kubernetes, maps, {}, { clock: hasty(), signal })
  const heard = await first(events, 6)
  assert.deepEqual(heard.slice(0, 3), ['listed ', 'added b', 'lost api_error'])
  assert.equal(heard.at(-1), 'changed b')
  assert.equal(server.asked.at(-1)!.query.get('resourceVersion'), '6')
})

test('no right to watch ends it', async (t) => {
  const { kubernetes } = await start(t, (asked) =>
    asked.reply(403, { kind: 'Status', message: 'no' }),
  )
  await assert.rejects(
    first(watchObjects(kubernetes, maps, {}, { clock: hasty(), signal }), 1),
    (error: unknown) => error instanceof Problem && error.code === 'forbidden',
  )
})

function group(name: string, version: string, kinds: readonly string[]) {
  const resources = kinds.map((kind) => ({
    resource: `${kind.toLowerCase()}s`,
    responseKind: { group: name, version, kind },
    scope: 'Namespaced',
    verbs: ['get'],
    subresources: [{ subresource: 'status' }],
  }))
  return { metadata: { name }, versions: [{ version, resources }] }
}

test('kinds are asked once; on a miss again, which costs nothing while nothing changed', async (t) => {
  let generation = 1
  const { server, kubernetes } = await start(t, ({ path, headers, reply }) => {
    const etag = `"${path}${generation}"`
    if (headers['if-none-match'] === etag) return reply(304, '')
    const own =
      path === '/api'
        ? group('', 'v1', ['ConfigMap'])
        : group('x.io', 'v1', ['Old', 'New'].slice(0, generation))
    return reply(200, { kind: 'APIGroupDiscoveryList', items: [own] }, { etag })
  })
  const discovery = discoveryOf(kubernetes)
  const found = await Promise.all([
    discovery.need('v1', 'ConfigMap', signal),
    discovery.need('x.io/v1', 'Old', signal),
  ])
  assert.deepEqual(
    found.map(({ plural }) => plural),
    ['configmaps', 'olds'],
  )
  assert.deepEqual(found[0]!.subresources, ['status'])
  assert.equal(server.asked.length, 2)
  assert.equal(await discovery.find('x.io/v1', 'New', signal), undefined)
  generation = 2
  assert.equal((await discovery.find('x.io/v1', 'New', signal))?.plural, 'news')
  assert.equal(server.asked.length, 6)
  assert.equal((await discovery.preferred(signal)).length, 3)
})

test('what a definition brings is known before the cluster lists it', async (t) => {
  const { server, kubernetes } = await start(t, ({ reply }) => {
    reply(200, { kind: 'APIGroupDiscoveryList', items: [] })
  })
  const discovery = discoveryOf(kubernetes)
  discovery.learn({
    spec: {
      group: 'x.io',
      scope: 'Cluster',
      names: { kind: 'Thing', plural: 'things' },
      versions: [
        { name: 'v1', served: true, subresources: { status: {} } },
        { name: 'v0', served: false },
      ],
    },
  })
  const thing = await discovery.need('x.io/v1', 'Thing', signal)
  assert.deepEqual(
    [thing.plural, thing.isNamespaced, thing.subresources],
    ['things', false, ['status']],
  )
  assert.equal(server.asked.length, 0)
  await assert.rejects(
    discovery.need('x.io/v0', 'Thing', signal),
    /knows no kind Thing in x\.io\/v0/,
  )
})
