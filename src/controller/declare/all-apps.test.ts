/** Declared and found together: whose a name is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf } from '#model/application.ts'
import type { Declarations } from '#model/declaration.ts'
import { allApps, type FoundBy } from './all-apps.ts'
import { declarationsFrom } from './declarations-from.ts'
import { discover } from './discover.ts'
import { loadDeclarations } from '#kinds/all.ts'
import { treeOf } from '../../../test/fake/repository.ts'

const kinds = await loadDeclarations()

function declared(text: string): Declarations {
  const files = [{ path: '/t.yaml', text }]
  const { declarations, problems } = declarationsFrom({ files, environment: {}, kinds })
  assert.deepEqual(problems, [])
  return declarations ?? assert.fail('nothing is declared')
}
test('declared and found together: the declared one stands in place of the found one', () => {
  const text = `
sources: {s: {directory: /x}}
apps: [{stack: web, path: a, prune: false}]
discover: [{source: s}, {name: again, source: s, path: more, dependsOn: ["stack:b"]}]
`
  const declarations = declared(text)
  const files = {
    'a/compose.yaml': '',
    'a/Chart.yaml': 'name: a',
    'b/compose.yaml': '',
    'more/b/compose.yaml': '',
    'more/c/compose.yaml': '',
  }
  const all = allApps(
    declarations,
    foundIn(declarations, () => files),
  )
  assert.deepEqual(
    all.apps.map(({ application, path }) => `${keyOf(application)} ${path}`),
    ['stack:web a', 'stack:b b', 'stack:c more/c'],
  )
  assert.deepEqual(all.refused, [])
  assert.match(
    all.problems.map(({ message }) => message).join('\n'),
    /stack:b stands for several: b of s .*, more\/b of again .*; the first keeps the name/,
  )
  assert.equal(all.problems.length, 1)
})

function foundIn(
  { discoveries }: Declarations,
  filesOf: (name: string) => Readonly<Record<string, string>>,
): readonly FoundBy[] {
  return discoveries.map((one) => ({
    by: one.name,
    found: discover(one, treeOf(filesOf(one.name)), kinds),
  }))
}

test('a folder of another source takes no name away, whatever is in it and whoever is read first', () => {
  const text = `sources: {a: {directory: /a}, b: {directory: /b}}\ndiscover: [{source: a}, {source: b}]\n`
  const declarations = declared(text)
  const plain = { 'web/compose.yaml': '' }
  const refused = { ...plain, 'web/tend.yaml': 'prune: true\n' }
  const several = { ...plain, 'web/Chart.yaml': 'name: web' }
  for (const attack of [plain, refused, several]) {
    for (const [victim, attacker] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const founds = foundIn(declarations, (name) => (name === victim ? plain : attack))
      for (const read of [founds, founds.toReversed()]) {
        const all = allApps(declarations, read, () => victim)
        assert.deepEqual(
          all.apps.map(({ source }) => source),
          [{ kind: 'directory', path: `/${victim}` }],
        )
        assert.deepEqual(all.refused, [])
        assert.deepEqual(all.waiting, [{ key: 'stack:web', by: attacker }])
        const told = all.problems.find(({ code }) => code === 'duplicate_name')
        assert.match(told?.message ?? '', new RegExp(`web of ${victim}.*, web of ${attacker}`))
        assert.match(told?.suggestion ?? '', new RegExp(`give the discovery ${attacker} a prefix`))
      }
    }
    // nobody has it yet: the one that is declared first
    const first = allApps(declarations, foundIn(declarations, () => plain).toReversed())
    assert.deepEqual(
      first.apps.map(({ source }) => source),
      [{ kind: 'directory', path: '/a' }],
    )
    // the one that has it was not read yet, or lost its folder: nobody else gets it
    const others = foundIn(declarations, () => attack).slice(1)
    const gone = allApps(declarations, others, () => 'a')
    assert.deepEqual([gone.apps, gone.refused], [[], []])
  }
})

test('one that is refused gives way to what is declared at its folder of its own source, and to no other', () => {
  const files = { 'web/compose.yaml': '', 'web/Chart.yaml': '' }
  const told = (source: string): readonly string[] => {
    const text = `sources: {s: {directory: /x}, other: {directory: /y}}
discover: [{source: s}]
apps: [{stack: mine, source: ${source}, path: web}]`
    const declarations = declared(text)
    const all = allApps(
      declarations,
      foundIn(declarations, () => files),
    )
    return all.refused.map(({ application }) => keyOf(application))
  }
  assert.deepEqual(told('s'), [])
  assert.deepEqual(told('other'), ['stack:web'])
})
