/** What a render read decides whether it is made anew. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { treeOf } from '../../test/fake/repository.ts'
import { learn, linesStillHold, stillHold, treeBelow, witnessed } from './inputs.ts'

const files = { 'web/compose.yaml': 'a', 'web/site/index.html': 'b', 'other/x': 'c' }

test('only what was read, listed or asked for counts, and what was not there too', async () => {
  const witness = witnessed(treeOf(files))
  witness.tree.read('web/compose.yaml')
  witness.tree.read('web/.env')
  witness.tree.list('web/site')
  witness.isFolder('web/data')
  const inputs = { about: 'v1', read: witness.lines() }
  const holds = (more: Readonly<Record<string, string>>, about = 'v1') =>
    stillHold(inputs, about, treeOf({ ...files, ...more }))
  assert.equal(await holds({}), true)
  assert.equal(await holds({ 'other/x': 'changed', README: 'new' }), true)
  assert.equal(await holds({ 'web/site/index.html': 'only its name was read' }), true)
  assert.equal(await holds({}, 'v2'), false)
  assert.equal(await holds({ 'web/compose.yaml': 'changed' }), false)
  assert.equal(await holds({ 'web/.env': 'A=1' }), false)
  assert.equal(await holds({ 'web/site/more.html': '' }), false)
  assert.equal(await holds({ 'web/data/file': '' }), false)
})

test('what is too large to be read here is left to a render process, unless its hash is known', async () => {
  const witness = witnessed(treeOf(files))
  witness.tree.read('web/compose.yaml')
  const inputs = { about: '', read: witness.lines() }
  const large = { ...treeOf(files), sizeOf: () => 5 * 1024 ** 2 }
  assert.equal(await stillHold(inputs, '', large), 'unsure')
  assert.equal(await linesStillHold(inputs.read, large), true)
  const told = { ...treeOf({ 'web/compose.yaml': 'nobody reads it' }), sizeOf: large.sizeOf }
  learn(told, inputs.read)
  assert.equal(await stillHold(inputs, '', told), true)
})

test('a folder is a tree of its own', () => {
  const below = treeBelow(treeOf(files), 'web')
  assert.deepEqual(below.list(''), ['compose.yaml', 'site/index.html'])
  assert.deepEqual(below.list('site'), ['site/index.html'])
  assert.equal(new TextDecoder().decode(below.read('compose.yaml')), 'a')
})
