import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#model/problem.ts'
import { dockerIgnore } from './dockerignore.ts'

test('patterns start at the root, folders take all that is in them, the last match wins', () => {
  const ignored = dockerIgnore(
    [
      '# comment',
      'node_modules',
      '*.log',
      '**/tmp',
      '/docs/*.md',
      '!docs/keep.md',
      'a?c',
      'x.y',
    ].join('\n'),
  )
  const out = ['node_modules', 'node_modules/a/b.js', 'x.log', 'tmp', 'deep/er/tmp/f', 'docs/a.md']
  for (const path of [...out, 'abc', 'x.y']) assert.equal(ignored(path), true, path)
  const kept = ['src/node_modules', 'src/x.log', 'docs/keep.md', 'docs/deep/a.md', 'ac', 'xzy']
  for (const path of kept) assert.equal(ignored(path), false, path)
  assert.equal(dockerIgnore('')('anything'), false)
  assert.equal(dockerIgnore('*\n!src')('src/a.ts'), false)
  assert.equal(dockerIgnore('*\n!src')('lib/a.ts'), true)
})

test('ranges of characters and escapes mean what they mean in Docker', () => {
  const ignored = dockerIgnore('[a-c].txt\nx\\*y\n\\d\n')
  for (const path of ['a.txt', 'x*y', 'd']) assert.equal(ignored(path), true, path)
  for (const path of ['d.txt', 'xxy', '5']) assert.equal(ignored(path), false, path)
})

test('a pattern that can not be read is told with its line', () => {
  assert.throws(
    () => dockerIgnore('ok\n\n!a[b\n'),
    (error) => error instanceof Problem && error.at?.line === 3 && error.message.includes('"!a[b"'),
  )
})

test('many stars take no time that grows faster than the path', () => {
  const ignored = dockerIgnore('*a*a*a*a*ab\n**/x*x*x*x*y')
  assert.equal(ignored('a'.repeat(20_000)), false)
  assert.equal(ignored(`${'x'.repeat(20_000)}/${'x'.repeat(20_000)}`), false)
})
