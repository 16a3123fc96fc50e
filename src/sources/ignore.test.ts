/** The globs of ignore files. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ignoreRules } from './ignore.ts'

test('globs match names, or whole paths when they hold a slash', () => {
  const rows = [
    ['*.tmp', 'a/b.tmp', true],
    ['*.tmp', 'a/b.tmp.yaml', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['a/*.yaml', 'a/b.yaml', true],
    ['a/*.yaml', 'x/a/b.yaml', false],
    ['a/*.yaml', 'a/b/c.yaml', false],
    ['/a', 'a', true],
    ['/a', 'b/a', false],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['[x', '[x', true],
    ['*a*b*', 'xaxbx', true],
    ['*a*b*', 'xbxax', false],
    ['a.b', 'axb', false],
  ] as const
  for (const [rule, path, isIgnored] of rows) {
    assert.equal(ignoreRules(rule)(path, false), isIgnored, `${rule} on ${path}`)
  }
})

test('a trailing slash means folders, the last match wins, comments and blanks are nothing', () => {
  assert.equal(ignoreRules('a/')('a', true), true)
  assert.equal(ignoreRules('a/')('a', false), false)
  assert.equal(ignoreRules('*.yaml\n!b.yaml')('b.yaml', false), false)
  assert.equal(ignoreRules('!b.yaml\n*.yaml')('b.yaml', false), true)
  assert.equal(ignoreRules('# a\n\n  \n')('a', false), false)
})

test('a hostile glob costs no more than its length times the name', () => {
  const isIgnored = ignoreRules(`${'*a'.repeat(100)}b`)
  assert.equal(isIgnored('a'.repeat(255), false), false)
})
