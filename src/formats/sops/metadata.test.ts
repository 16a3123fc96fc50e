/** Which values are encrypted: the expressions are Go's, and no expression takes longer than its text is long. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SopsError } from './error.ts'
import { readMetadata } from './metadata.ts'

function rule(field: string, pattern: string): (...path: readonly string[]) => boolean {
  const metadata = readMetadata({ age: [{ enc: 'x' }], mac: 'x', [field]: pattern })
  return (...path) => metadata.isEncrypted(path)
}

test('expressions that only Go knows are read', () => {
  assert.equal(rule('encrypted_regex', '^[[:alpha:]]+_key$')('data', 'api_key'), true)
  assert.equal(rule('encrypted_regex', '^(?P<name>data|stringData)\\z')('stringData', 'x'), true)
  assert.equal(rule('encrypted_regex', '(?i)^PASS')('password'), true)
  assert.equal(rule('unencrypted_regex', '^(kind|metadata)$')('metadata', 'name'), false)
})

test('an expression that Go refuses is told in its words', () => {
  assert.throws(
    () => rule('encrypted_regex', '^(?!data)'),
    (error) =>
      error instanceof SopsError &&
      error.message.endsWith('error parsing regexp: invalid or unsupported Perl syntax: `(?!`'),
  )
})

test('nested repetitions are answered at once', () => {
  assert.equal(rule('encrypted_regex', '^(a+)+$')(`${'a'.repeat(20_000)}!`), false)
})
