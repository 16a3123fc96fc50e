import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fluxObjectOf } from './kinds.ts'
import { readRepository } from './repository.ts'

function readOf(spec: Record<string, string>): ReturnType<typeof readRepository> {
  const object = {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: 'infra', namespace: 'flux-system', uid: 'u', resourceVersion: '1' },
    spec: { url: 'https://git.example.org/infra.git', ...spec },
  }
  return readRepository(fluxObjectOf(object), undefined)
}

function intervalOf(spec: Record<string, string>): number {
  const read = readOf(spec)
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

test('with ssh and without a Secret, the keys of whoever runs Tend do not serve', () => {
  const read = readOf({ url: 'ssh://git@git.example.org/infra.git' })
  const { reason, message } = 'trouble' in read ? read.trouble : assert.fail('it is followed')
  assert.equal(reason, 'AuthenticationFailed')
  assert.match(message, /spec\.secretRef is needed for ssh/)
})
