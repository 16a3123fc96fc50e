/** What a render read decides whether it is made anew. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { treeOf } from '../../test/fake/repository.ts'
import { stillHold, treeBelow, witnessed } from './inputs.ts'

const files = { 'web/compose.yaml': 'a', 'web/site/index.html': 'b', 'other/x': 'c' }

test('only what was read, listed or asked for counts, and what was not there too', () => {
  const witness = witnessed(treeOf(files))
  witness.tree.read('web/compose.yaml')
  witness.tree.read('web/.env')
  witness.tree.list('web/site')
  witness.isFolder('web/data')
  const inputs = witness.inputs('v1')
  const holds = (more: Readonly<Record<string, string>>, about = 'v1'): boolean =>
    stillHold(inputs, about, treeOf({ ...files, ...more }))
  assert.equal(holds({}), true)
  assert.equal(holds({ 'other/x': 'changed', README: 'new' }), true)
  assert.equal(holds({ 'web/site/index.html': 'only its name was read' }), true)
  assert.equal(holds({}, 'v2'), false)
  assert.equal(holds({ 'web/compose.yaml': 'changed' }), false)
  assert.equal(holds({ 'web/.env': 'A=1' }), false)
  assert.equal(holds({ 'web/site/more.html': '' }), false)
  assert.equal(holds({ 'web/data/file': '' }), false)
})

test('a folder is a tree of its own', () => {
  const below = treeBelow(treeOf(files), 'web')
  assert.deepEqual(below.list(''), ['compose.yaml', 'site/index.html'])
  assert.deepEqual(below.list('site'), ['site/index.html'])
  assert.equal(new TextDecoder().decode(below.read('compose.yaml')), 'a')
})
