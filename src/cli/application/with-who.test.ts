import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shellUser, withWho } from './with-who.ts'

test('whoever asks is named, and nobody for a repair of what somebody else applied', () => {
  const { username } = shellUser()
  assert.deepEqual(withWho({ path: 'shop' }, 'manual'), { path: 'shop', by: username })
  assert.deepEqual(withWho({ path: 'shop', by: 'ada' }, 'rollback'), { path: 'shop', by: username })
  assert.deepEqual(withWho({ path: 'shop', by: 'ada' }, 'drift'), { path: 'shop' })
  assert.equal(withWho(null, 'manual'), null)
})
