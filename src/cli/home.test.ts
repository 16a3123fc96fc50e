import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { homeOf } from './home.ts'

test('what is said, the place of the system, the place of the user', () => {
  assert.equal(homeOf({ TEND_HOME: '/srv/t' }, true), '/srv/t')
  assert.equal(homeOf({ TEND_HOME: 't' }, true), join(process.cwd(), 't'))
  assert.equal(homeOf({}, true), '/var/lib/tend')
  assert.equal(homeOf({ XDG_STATE_HOME: '/s' }, false), '/s/tend')
  assert.match(homeOf({ TEND_HOME: '', XDG_STATE_HOME: '' }, false), /\/\.local\/state\/tend$/)
})
