import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { secretObjects } from './object-names.ts'

function spec(object: string, ...keys: readonly string[]) {
  return {
    object,
    type: 'opaque',
    keys: Object.fromEntries(keys.map((key) => [key, { sealed: key }])),
  }
}

test('one key has the plain name, several are told apart', () => {
  assert.deepEqual(secretObjects(spec('login', 'password')), { password: 'login' })
  assert.deepEqual(secretObjects(spec('login', 'user', 'password')), {
    user: 'login_user',
    password: 'login_password',
  })
  assert.deepEqual(secretObjects(spec('login', 'user'), 'abc123'), { user: 'login-abc123' })
})

test('whatever the keys are called, Podman takes the names, and no two are the same', () => {
  const keys = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 80 }), {
    minLength: 1,
    maxLength: 6,
  })
  const names = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)
  fc.assert(
    fc.property(
      names,
      keys,
      fc.option(fc.stringMatching(/^[0-9a-f]{6}$/), { nil: undefined }),
      (name, all, suffix) => {
        const made = Object.values(secretObjects(spec(name, ...all), suffix))
        for (const object of made) {
          assert.match(object, /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/)
          assert.doesNotMatch(object, /[.-]$/)
          assert.ok(object.length <= 64)
        }
        assert.equal(new Set(made).size, made.length)
      },
    ),
  )
})
