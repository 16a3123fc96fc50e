/** What is secret by its name or by its shape, and what stays readable. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isListed, looksSecret } from './looks-secret.ts'
import { withoutSecrets, withoutSecretShapes } from './secret-shapes.ts'

test('names that went through before', () => {
  const secret = [
    'JWT',
    'SLACK_WEBHOOK_URL',
    'SMTP_PW',
    'smtpPw',
    'BASIC_AUTH',
    'DOCKER_AUTH_CONFIG',
    'COOKIE_SALT',
    'SENTRY_DSN',
    'apiKey',
    'DB_PASSWORD',
  ]
  for (const name of secret) assert.ok(looksSecret(name, 'some text'), name)
  const plain = ['TAG', 'TZ', 'COLOUR', 'PATH', 'AUTHOR', 'KEYBOARD', 'PWD', 'REPLICAS', 'IMAGE']
  for (const name of plain) assert.ok(!looksSecret(name, 'some text'), name)
  assert.ok(!looksSecret('AUTH_ENABLED', 'true') && !looksSecret('WEBHOOK_PORT', '8080'))
})

const tokens: Readonly<Record<string, string>> = {
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N': '******',
  AKIAIOSFODNN7EXAMPLE: '******',
  ghp_0123456789abcdefghijABCDEFGHIJ012345: '******',
  github_pat_11ABCDEFG0abcdefghijkl_mnop: '******',
  'xoxb-123456789012-abcdefghij': '******',
  'postgres://shop:hunter2@db:5432/shop': 'postgres://shop:******@db:5432/shop',
  'redis://:hunter2@cache': 'redis://:******@cache',
  'https://hooks.slack.com/services/T000/B000/XXXXXXXX': 'https://hooks.slack.com/services/******',
  'Server=db;User=sa;Pwd=hunter2;Timeout=5': 'Server=db;User=sa;Pwd=******;Timeout=5',
  'Authorization: Bearer abcdefghijklmnop': 'Authorization: Bearer ******',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----': '******',
}

test('well-known shapes are masked wherever they stand, and their surroundings stay', () => {
  for (const [token, shown] of Object.entries(tokens)) {
    assert.equal(withoutSecretShapes(`before ${token} after`), `before ${shown} after`)
    assert.ok(looksSecret('ANYTHING', token), token)
    assert.deepEqual(JSON.parse(withoutSecretShapes(JSON.stringify({ a: token }))), { a: shown })
  }
  for (const text of ['https://git.test/shop.git', 'image: app:1.2', 'PWD=/srv/app', 'a@b.c']) {
    assert.equal(withoutSecretShapes(text), text)
  }
})

test('a long text costs no more than its length', () => {
  const begun = performance.now()
  for (const text of ['a', '://', 'eyJ', '-----BEGIN PRIVATE KEY-----', 'gh', 'pwd=', 'Basic ']) {
    withoutSecretShapes(text.repeat(1_000_000 / text.length))
  }
  assert.ok(performance.now() - begun < 5_000)
})

test('values are taken out the longest first, short ones only where they stand alone', () => {
  assert.equal(
    withoutSecrets('x swordfish-2 swordfish', ['swordfish', 'swordfish-2']),
    'x ****** ******',
  )
  assert.equal(withoutSecrets('cab a-b ab', ['ab']), 'cab a-b ******')
})

test('the operator’s names, with * for anything', () => {
  assert.ok(isListed('LOG_LEVEL', ['TZ', 'LOG_*']) && isListed('A_B_C', ['A*B*C']))
  assert.ok(!isListed('XLOG', ['LOG*']) && !isListed('AB', ['A*AB']) && !isListed('A', undefined))
})
