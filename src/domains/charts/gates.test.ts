/** A run that changes nothing looks only at containers of which the list does not tell how they are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Podman } from '#clients/podman/client.ts'
import { recordLabel, recordLabels } from '#domains/containers/record.ts'
import { settled } from '#model/value.ts'
import { container } from '../../../test/testbed/drive.ts'
import { chartsTarget } from './domain.ts'

const { signal } = new AbortController()
const owner = 'test:chart:web'
const health = {
  test: ['CMD', 'true'],
  intervalSeconds: 5,
  timeoutSeconds: 3,
  startPeriodSeconds: 0,
  retries: 3,
}
const wanted = [
  container('old'),
  container('young'),
  container('ended'),
  container('checked', { health }),
]

function podmanWith(now: number): Podman {
  const startedAt: Readonly<Record<string, number>> = { 'container/young': now - 1 }
  const listed = wanted.map(({ ref, spec }) => ({
    Id: ref,
    Names: [ref.split('/')[1] ?? ''],
    State: ref === 'container/ended' ? 'exited' : 'running',
    StartedAt: startedAt[ref] ?? now - 3600,
    Labels: {
      [recordLabel.owner]: owner,
      [recordLabel.ref]: ref,
      [recordLabel.needs]: '[]',
      ...recordLabels(settled(spec)),
    },
  }))
  return {
    address: 'unix:///fake.sock',
    isLocal: true,
    ask: (_, path) =>
      Promise.resolve({ status: 200, body: path === '/containers/json' ? listed : [] }),
    stream: () => Promise.reject(new Error('not asked for')),
    close: () => undefined,
  }
}

test('what has no check and has run for a while is not looked at', async () => {
  const target = chartsTarget(podmanWith(Math.floor(Date.now() / 1000)))
  await target.observe({ owner, wanted, refresh: false, isGlance: false, signal, report() {} })
  const gates = target.gates?.(wanted, false)
  assert.deepEqual(
    gates?.map(({ ref }) => ref),
    ['container/young', 'container/checked'],
  )
  assert.deepEqual(target.gates?.(wanted, true), [])
})
