import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedOf, recordLabels, sinceOf } from '#domains/containers/record.ts'
import { identityLabels, label } from './labels.ts'

const identity = {
  owner: 'here:chart:app',
  application: { kind: 'chart', namespace: null, name: 'app' },
  version: '1.2.3',
  revision: 'r1',
  since: 1000,
} as const
const needs = [{ ref: 'network/web', until: 'exists', renew: false }] as const
const labels = {
  ...identityLabels(identity, 'container/web', needs),
  ...recordLabels({ image: 'a', env: {} }),
}

test('what is written is read back', () => {
  const recorded = recordedOf(labels)
  assert.deepEqual(recorded?.spec, { env: {}, image: 'a' })
  assert.deepEqual(recorded?.needs, needs)
  assert.equal(sinceOf(labels), 1000)
})

test("the requirement's three labels are there", () => {
  assert.equal(labels[label.chart], 'app')
  assert.equal(labels[label.version], '1.2.3')
  assert.equal(labels[label.managedBy], 'tend')
})

test('the version is in no hash', () => {
  const other = identityLabels({ ...identity, version: '2.0.0' }, 'container/web', needs)
  assert.equal(recordedOf({ ...labels, ...other })?.hash, recordedOf(labels)?.hash)
})

const broken = [
  { [label.spec]: '{"image":"b","env":{}}' },
  { [label.spec]: '{' },
  { [label.hash]: '' },
  { [label.needs]: '[{"ref":1}]' },
  { [label.needs]: 'null' },
]
for (const change of broken) {
  test(`tampered: ${JSON.stringify(change)}`, () => {
    assert.equal(recordedOf({ ...labels, ...change }), undefined)
  })
}
