import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { kubernetesAt } from '#clients/kubernetes/client.ts'
import type { Clock } from '#model/clock.ts'
import type { JsonRecord } from '#model/json.ts'
import { startKubeStandIn } from '../../../test/testbed/kube-stand-in.ts'
import { kustomizations } from './kinds.ts'
import { createInformer } from './informer.ts'

const clock: Clock = { now: () => 0, sleep: () => new Promise(() => undefined), random: () => 0 }

function object(version: number, generation = 1, uid = 'one', name = 'apps'): JsonRecord {
  const metadata = { name, namespace: 'flux-system', uid, generation }
  return { metadata: { ...metadata, resourceVersion: String(version) }, spec: {}, status: {} }
}

/** A mirror that has listed the object in version 5; events are sent one by one, and each is waited for by the one after it. */
async function listed(t: TestContext) {
  const said: string[] = []
  let send = (_line: unknown): void => undefined
  let heard = (): void => undefined
  const server = await startKubeStandIn(({ query, reply, begin }) => {
    if (query.get('watch') === 'true') send = begin()
    else reply(200, { metadata: { resourceVersion: '5' }, items: [object(5)] })
  })
  const kubernetes = kubernetesAt(server.access)
  const ends = new AbortController()
  const mirror = createInformer(kubernetes, kustomizations, clock, {
    changed() {
      said.push('changed')
      heard()
    },
    told() {
      said.push('told')
      heard()
    },
    lost: () => said.push('lost'),
  })
  const kept = mirror.keep(ends.signal).catch(() => undefined)
  t.after(async () => {
    ends.abort()
    await kept
    kubernetes.close()
    server.stop()
  })
  let count = 0

  /** Resolves when it was heard; another object follows it, so that what is passed over is noticed too. */
  const event = async (type: string, what: JsonRecord): Promise<void> => {
    count += 1
    const mark = `mark-${count}`
    const passed = new Promise<void>((resolve) => {
      heard = () => {
        if (mirror.objects.has(`flux-system/${mark}`)) resolve()
      }
    })
    send({ type, object: what })
    send({ type: 'ADDED', object: object(1, 1, mark, mark) })
    await passed
    said.pop()
  }

  while (server.asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  said.length = 0
  return {
    mirror,
    said,
    version: () => mirror.objects.get('flux-system/apps')?.resourceVersion,
    event,
  }
}

test('an older event does not undo what a newer answer told', async (t) => {
  const { mirror, version, event, said } = await listed(t)
  mirror.learn(object(9))
  assert.equal(version(), '9')
  assert.deepEqual(said, [])
  await event('MODIFIED', object(7))
  assert.equal(version(), '9')
  assert.deepEqual(said, [])
  await event('MODIFIED', object(10))
  assert.equal(version(), '10')
  assert.deepEqual(said, ['told'])
})

test('an older answer does not undo what a newer event told', async (t) => {
  const { mirror, version, event } = await listed(t)
  await event('MODIFIED', object(10))
  mirror.learn(object(7))
  assert.equal(version(), '10')
})

test("somebody's wish that comes with an answer is told, since its event finds nothing new", async (t) => {
  const { mirror, event, said } = await listed(t)
  mirror.learn(object(9, 2))
  assert.deepEqual(said, ['changed'])
  await event('MODIFIED', object(8, 2))
  assert.deepEqual(said, ['changed'])
})

test('an answer about one that went brings it not back, and one of the same name is another one', async (t) => {
  const { mirror, version, event } = await listed(t)
  await event('DELETED', object(11))
  mirror.learn(object(9))
  assert.equal(version(), undefined)
  await event('ADDED', object(12, 1, 'two'))
  mirror.learn(object(13))
  assert.equal(version(), '12')
})
