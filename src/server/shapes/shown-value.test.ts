import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownValue } from './shown-value.ts'

test('what looks secret is hidden by one word, whatever it begins with', () => {
  const value = {
    DB_PASSWORD: '(begins like a word of ours',
    API_KEY: '(known after apply)',
    list: ['TOKEN=(open', 'PLAIN=(open'],
    env: [{ name: 'SECRET', value: '(x' }],
  }
  assert.deepEqual(shownValue(value), {
    DB_PASSWORD: '******',
    API_KEY: '(known after apply)',
    list: ['TOKEN=******', 'PLAIN=(open'],
    env: [{ name: 'SECRET', value: '******' }],
  })
})
