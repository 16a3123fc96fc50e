import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownText, withoutRoot } from './shown-root.ts'

test('paths of a repository are shown as they are in it, and the way out of it as it is written', () => {
  const root = '/repository'
  for (const [text, shown] of [
    ['/repository/web/no.txt does not exist', 'web/no.txt does not exist'],
    ['"/outside.yaml" is outside /repository', '"../outside.yaml" is outside the repository'],
    [
      'the seccomp profile x is outside /repository',
      'the seccomp profile x is outside the repository',
    ],
    ['a bind of /repository', 'a bind of the repository'],
    ['/srv/repository/x and /repository-data stay', '/srv/repository/x and /repository-data stay'],
  ] as const) {
    assert.equal(shownText(text, root), shown)
  }
  assert.equal(shownText('x is outside /srv/stacks', '/srv/stacks'), 'x is outside /srv/stacks')
  const problem = { type: 'configuration', code: 'denied', message: 'in /repository/a' } as const
  const told = withoutRoot({ ...problem, suggestion: 'commit /repository/a' }, root)
  assert.deepEqual(told, { ...problem, message: 'in a', suggestion: 'commit a' })
})
