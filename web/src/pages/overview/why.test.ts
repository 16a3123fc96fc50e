/** The few words that a row has room for begin with why. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyOf, wholeWhyOf } from './why.ts'

const well = {
  health: { state: 'healthy', reason: '', since: 1, isGivenUp: false },
  sync: { state: 'synced', reason: '', since: 1 },
  reason: '',
  source: { shown: '/srv/git/site.git', ref: 'main', path: '', file: '' },
} as const

const unsigned = 'the commit 12ab34cd56ef is not used: it is not signed with a key under verify'

test('of a refused commit: why, and where it comes from only in the whole text', () => {
  const app = { ...well, reason: `/srv/git/site.git: ${unsigned}` }
  assert.equal(whyOf(app), 'not signed with a key under verify')
  assert.equal(wholeWhyOf(app), app.reason)
})

test('of one that is behind or drifted too, whatever its source is called', () => {
  for (const from of ['/srv/git/site.git', 'https://git.example.org/a.git', 'git@host:a/b.git']) {
    const sync = { state: 'drifted', reason: `${from}: ${unsigned}`, since: 1 } as const
    assert.equal(whyOf({ ...well, sync }), 'not signed with a key under verify', from)
  }
  const reason = 'its source has something newer, which waits until it is resumed'
  const sync = { state: 'drifted', reason, since: 1, isBehind: true } as const
  assert.equal(whyOf({ ...well, sync }), 'newer waits until it is resumed')
})

test('health comes first, and a place in a file stays', () => {
  const health = { ...well.health, state: 'failed', reason: 'web-1 exited with 1' } as const
  assert.equal(whyOf({ ...well, health, reason: 'other' }), 'web-1 exited with 1')
  const reason = '/srv/web/compose.yaml:3:5: unknown field'
  assert.equal(whyOf({ ...well, reason }), reason)
})
