/** What a credential is for: scheme, host, port and, with ssh, the user. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressFrom, addressOf } from './address.ts'

const originOf = (url: string): string => addressOf(url).origin

test('one place has one origin, however it is written', () => {
  for (const url of ['git@host.test:a/b', 'ssh://git@host.test/a', 'ssh://git@HOST.test:22/a']) {
    assert.equal(originOf(url), 'git@host.test:22')
  }
  assert.equal(originOf('https://host.test:443/a'), originOf('https://HOST.test/b'))
})

test('another scheme, host, port or ssh user is another origin', () => {
  const urls = [
    'git@host.test:a',
    'root@host.test:a',
    'host.test:a',
    'git@host.test.evil:a',
    'ssh://git@host.test:2222/a',
    'https://host.test/a',
    'https://host.test:8443/a',
    'http://host.test/a',
  ]
  assert.equal(new Set(urls.map(originOf)).size, urls.length)
})

test('a relative address stays with its origin', () => {
  for (const url of [
    'git@host.test:a/b.git',
    'ssh://git@host.test:2222/a/b',
    'https://h.test/a/b',
  ]) {
    assert.equal(addressFrom(addressOf(url), '../c').origin, originOf(url))
  }
})
