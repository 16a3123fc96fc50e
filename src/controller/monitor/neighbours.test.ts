/** Which of two applications on one engine comes first. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stackOf, treeOfStacks, usualDeclarations } from '../../../test/testbed/serve.ts'
import { setDeclaration, type AppState } from '../state/app-state.ts'
import { createAppState } from '../state/create-app-state.ts'
import { neighbourOf } from './neighbours.ts'
import { unofferedTarget } from './unoffered-target.ts'
import { loadedStacks } from '#kinds/stacks/load.ts'

const here = unofferedTarget(loadedStacks, 'here', 0)
const there = unofferedTarget(loadedStacks, 'there', 0)

function app(name: string, from: string, monitor = here, isRemoved = false): [string, AppState] {
  const application = { kind: 'stack', namespace: null, name }
  const made = createAppState(application, 'i', { since: 0, from, removes: false, isRemoved })
  setDeclaration(made, { declared: undefined, branch: undefined, monitor })
  return [`stack:${name}`, made]
}

test('what the operator declared, then the discoveries in their order', () => {
  const declarations = {
    ...usualDeclarations,
    apps: [stackOf('unread', undefined), stackOf('far', 'there')],
    discoveries: ['one', 'two'].map((name) => treeOfStacks(undefined, { name })),
  }
  const apps = new Map([
    app('declared', ''),
    app('one', 'one'),
    app('two', 'two'),
    app('elsewhere', 'one', there),
    app('gone', 'one', here, true),
  ])
  const comes = (own: string, other: string): string | undefined =>
    neighbourOf({ apps, declarations }, here, (_, target) => (target === 'there' ? there : here), [
      `stack:${own}`,
      `stack:${other}`,
    ])?.comes
  assert.equal(comes('one', 'declared'), 'first')
  assert.equal(comes('two', 'one'), 'first')
  assert.equal(comes('one', 'two'), 'later')
  assert.equal(comes('declared', 'one'), 'later')
  // its source was not read yet
  assert.equal(comes('one', 'unread'), 'first')
  assert.equal(comes('declared', 'unread'), 'beside')
  for (const other of ['one', 'elsewhere', 'gone', 'far', 'nobody']) {
    assert.equal(comes('one', other), undefined, other)
  }
})
