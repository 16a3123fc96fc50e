import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentence } from './sentence.ts'

test('words get a capital, names stay as they are', () => {
  assert.equal(sentence('it was never synced'), 'It was never synced')
  assert.equal(sentence('suspended'), 'Suspended')
  assert.equal(sentence('container/web-1: it ended'), 'container/web-1: it ended')
  assert.equal(sentence('services.web: no'), 'services.web: no')
  assert.equal(sentence('tend login makes another one.'), 'tend login makes another one.')
  assert.equal(sentence(''), '')
})
