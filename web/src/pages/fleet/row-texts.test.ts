import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowFrom, textsOf } from './row-texts.ts'

const row = {
  provider: 'k3d',
  http_port: 18_090,
  route: true,
  image: null,
  config: { env: ['******'] },
}

test('what was not changed is not sent', () => {
  assert.deepEqual(rowFrom({ ...textsOf(row), name: 'dev' }, row), {})
  assert.deepEqual(rowFrom({ ...textsOf(row), image: '' }, row), {})
})

test('what was changed is sent as what it is', () => {
  const texts = { http_port: '', route: 'false', image: 'rancher/k3s:v1', config: '{"a":{"b":1}}' }
  assert.deepEqual(rowFrom({ ...textsOf(row), ...texts }, row), {
    http_port: null,
    route: false,
    image: 'rancher/k3s:v1',
    config: { a: { b: 1 } },
  })
})

test('of a new row only what was filled in is sent', () => {
  const texts = { name: 'dev', provider: 'kind', http_port: '18190', version: '1.30', subnet: '' }
  const sent = { provider: 'kind', http_port: 18_190, version: '1.30' }
  assert.deepEqual(rowFrom(texts), sent)
})
