import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fluxObjectOf } from './kinds.ts'
import { readRepository } from './repository.ts'

function intervalOf(spec: Record<string, string>): number {
  const object = {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: 'infra', namespace: 'flux-system', uid: 'u', resourceVersion: '1' },
    spec: { url: 'https://git.example.org/infra.git', ...spec },
  }
  const read = readRepository(fluxObjectOf(object), undefined)
  return 'interval' in read ? read.interval : assert.fail(read.trouble.message)
}

test('a source is asked within the interval that it names, and within 15 seconds without one', () => {
  for (const [interval, most] of [
    ['10s', 10_000],
    ['1m', 60_000],
    ['1h', 3_600_000],
  ] as const) {
    const found = intervalOf({ interval })
    assert.ok(found > most / 2 && found <= most, `${interval}: ${found}`)
  }
  assert.ok(intervalOf({}) <= 15_000)
})
