/** Patterns of applications: plain, by kind, by namespace, and never slow. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesApp } from './scope.ts'

test('patterns over keys and names', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['stack:web', 'stack:web', true],
    ['stack:web', 'stack:web2', false],
    ['stack:web-*', 'stack:web-1', true],
    ['stack:web-*', 'chart:web-1', false],
    ['web-*', 'chart:web-1', true],
    ['web-*', 'chart:staging/web-1', true],
    ['staging/*', 'chart:staging/web', true],
    ['chart:staging/*', 'chart:prod/web', false],
    ['*', 'fleet:lab', true],
    ['stack:*', 'chart:web', false],
    ['w?b', 'stack:wab', true],
    ['w?b', 'stack:wb', false],
    ['*a*b', 'stack:xaxxb', true],
    ['stack:(a+)+$', 'stack:aaaa', false],
    ['', 'stack:web', false],
  ]
  for (const [pattern, key, expected] of cases) {
    assert.equal(matchesApp(pattern, key), expected, `${pattern} on ${key}`)
  }
})

test('patterns over labels', () => {
  const labels = { team: 'web', stage: 'production' }
  const cases: readonly (readonly [string, boolean])[] = [
    ['label:team=web', true],
    ['label:team=w*', true],
    ['label:team', true],
    ['label:team=', false],
    ['label:team=db', false],
    ['label:owner=web', false],
    ['label:toString', false],
    ['label:*=web', false],
  ]
  for (const [pattern, expected] of cases) {
    assert.equal(matchesApp(pattern, 'stack:web', labels), expected, pattern)
    assert.equal(matchesApp(pattern, 'stack:web'), false, `${pattern} without labels`)
  }
})

test('many stars on a long name take no time to speak of', () => {
  const began = performance.now()
  assert.equal(matchesApp(`stack:${'*a'.repeat(50)}b`, `stack:${'a'.repeat(5_000)}`), false)
  assert.ok(performance.now() - began < 5_000)
})
