import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import { clusterEvents } from './cluster-events.ts'
import { fluxObjectOf } from './kinds.ts'

const one = fluxObjectOf({
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name: 'one', namespace: 'flux-system', uid: 'u', resourceVersion: '1' },
  spec: {},
})

const clock = { now: () => 0, random: () => 0, sleep: () => Promise.resolve() }

test('what went well is told in order, one at a time; a warning waits for nobody', async () => {
  const told: string[] = []
  const held = Promise.withResolvers<void>()
  const never = () => {
    throw new TypeError('nobody asks for this')
  }
  const kubernetes: Kubernetes = {
    server: '',
    namespace: 'default',
    as: never,
    stream: never,
    close: () => undefined,
    async ask(_method, _path, { body }) {
      const reason = textOf(recordOf(body)['reason'])
      told.push(reason)
      if (reason === 'first') await held.promise
      return { status: 201, headers: {}, body: {} }
    },
  }
  const events = clusterEvents(kubernetes, clock, () => undefined)
  events.tell(one, 'Normal', 'first', '')
  events.tell(one, 'Normal', 'second', '')
  events.tell(one, 'Warning', 'urgent', '')
  await sleep(1)
  assert.deepEqual(told.toSorted(), ['first', 'urgent'])
  held.resolve()
  while (told.length < 3) await sleep(1)
  assert.equal(told.at(-1), 'second')
})
