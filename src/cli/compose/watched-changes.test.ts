import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WatchRule } from '#domains/stacks/render/watch-rules.ts'
import { watcherOf, workFor } from './watched-changes.ts'

const usual: WatchRule = {
  service: 'web',
  path: '/shop/src',
  action: 'sync',
  target: '/app',
  include: [],
  ignore: [],
  isCopiedFirst: false,
  exec: undefined,
  context: undefined,
  isBound: false,
}

function watcher(rule: Partial<WatchRule>, dockerIgnore = '') {
  return watcherOf({ ...usual, ...rule }, () => dockerIgnore)
}

test('what counts: below the path, not ignored, and included where something is', () => {
  const { heeds, inside } = watcher({ ignore: ['node_modules/'] })
  assert.ok(heeds('/shop/src/a/b.js'))
  assert.equal(inside('/shop/src/a/b.js'), '/app/a/b.js')
  assert.equal(inside('/shop/src'), '/app')
  assert.ok(!heeds('/shop/other.js'))
  assert.ok(!heeds('/shop/src/node_modules/x/y.js'))
  for (const name of ['.git/index', 'a.js~', '.a.js.swp', 'deep/4913']) {
    assert.ok(!heeds(`/shop/src/${name}`), name)
  }
  const only = watcher({ include: ['**/*.css'] })
  assert.ok(only.heeds('/shop/src/a/b.css'))
  assert.ok(!only.heeds('/shop/src/a/b.js'))
})

test('.dockerignore of the context counts, and what it takes back is entered', () => {
  const plain = watcher({ context: '/shop' }, 'src/cache')
  assert.ok(plain.skips('/shop/src/cache'))
  assert.ok(!plain.heeds('/shop/src/cache/x'))
  const back = watcher({ context: '/shop' }, 'src/cache\n!src/cache/kept')
  assert.ok(!back.skips('/shop/src/cache'))
  assert.ok(back.heeds('/shop/src/cache/kept'))
  assert.ok(back.skips('/shop/src/.git'))
})

test('every rule that heeds a path has its part in the work', () => {
  const rules = [
    watcher({}),
    watcher({ service: 'api', action: 'sync+restart' }),
    watcher({ service: 'job', action: 'sync+exec' }),
    watcher({ service: 'old', action: 'rebuild', path: '/shop/package.json' }),
    watcher({ service: 'conf', action: 'restart', path: '/shop/src/conf' }),
  ]
  const work = workFor(rules, ['/shop/src/conf/a', '/shop/package.json'])
  assert.deepEqual([...work.rebuild], ['old'])
  assert.deepEqual([...work.copies.keys()], ['web', 'api', 'job'])
  assert.deepEqual([...work.restart], ['api', 'conf'])
  assert.deepEqual(
    work.commands.map(({ service }) => service),
    ['job'],
  )
})
