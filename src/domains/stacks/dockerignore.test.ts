import assert from 'node:assert/strict'
import { test } from 'node:test'
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
