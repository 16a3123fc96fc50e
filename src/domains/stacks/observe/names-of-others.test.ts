/** Whose a name is that two applications want. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { denyAll } from '#model/policy.ts'
import type { Resource } from '#model/resource.ts'
import { whoseName, withoutNamesOfOthers } from './names-of-others.ts'
import { usualNames } from './usual-names.ts'

/** The applications in their order: what an earlier one has by itself is not the later one's. */
function neighboursOf(key: string, ...keys: readonly string[]) {
  return (other: string) => {
    if (other === key || !keys.includes(other)) return undefined
    return { comes: keys.indexOf(other) < keys.indexOf(key) ? 'first' : 'later' } as const
  }
}

const beside = { comes: 'beside' } as const

test('a name is that of the application with the longest name that it begins with', () => {
  const all = ['stack:shop', 'stack:shop_db', 'stack:a-b']
  const whose = (key: string, name: string): string | undefined =>
    whoseName(
      { key, neighbour: (other) => (other !== key && all.includes(other) ? beside : undefined) },
      name,
    )
  assert.equal(whose('stack:other', 'shop_data'), 'stack:shop')
  assert.equal(whose('stack:other', 'shop-web-1'), 'stack:shop')
  assert.equal(whose('stack:other', 'a-b_x'), 'stack:a-b')
  assert.equal(whose('stack:other', 'shopping_data'), undefined)
  assert.equal(whose('stack:other', 'shop'), undefined)
  assert.equal(whose('stack:shop', 'shop_db_data'), 'stack:shop_db')
  assert.equal(whose('stack:shop_db', 'shop_db_data'), undefined)
  assert.equal(whose('stack:shop_db', 'shop_data'), 'stack:shop')
  // a folder that is found later forbids nothing by its name
  const neighbour = neighboursOf('stack:blog', 'stack:blog', 'stack:postgres')
  assert.equal(whoseName({ key: 'stack:blog', neighbour }, 'postgres_data'), undefined)
  const earlier = neighboursOf('stack:blog', 'stack:postgres', 'stack:blog')
  assert.equal(
    whoseName({ key: 'stack:blog', neighbour: earlier }, 'postgres_data'),
    'stack:postgres',
  )
})

function volume(project: string, name: string, object: string): Resource {
  const spec = { object, isExternal: false, about: { project, name } }
  return {
    ref: `volume/${name}`,
    spec,
    needs: [],
    origin: { file: 'compose.yaml', line: 3, column: 1 },
    problems: [],
  }
}

test('of two that have one name by themselves the first declared has it, and the other is told', () => {
  const keys = ['stack:shop', 'stack:shop_db']
  const memory = { usualNames: usualNames() }
  const refusals = (key: string, wanted: readonly Resource[], found = new Map()): string => {
    const neighbour = neighboursOf(key, ...keys)
    const confinement = { ...parts, owner: `here:${key}`, key, neighbour }
    const world = withoutNamesOfOthers(found, wanted, confinement, memory)
    return [...world.values()]
      .map((seen) => (seen.kind !== 'unknown' && seen.forecast ? JSON.stringify(seen) : ''))
      .join('')
  }
  const first = [volume('shop', 'db_data', 'shop_db_data')]
  const second = [volume('shop_db', 'data', 'shop_db_data')]
  assert.equal(refusals('stack:shop', first), '')
  assert.match(refusals('stack:shop_db', second), /which is a name of stack:shop, is denied/)
  assert.equal(refusals('stack:shop', first), '')
  // what it has already stays its own
  const own = { kind: 'present', outputs: { object: 'shop_db_data' }, live: null, spares: [] }
  assert.equal(refusals('stack:shop_db', second, new Map([['volume/data', own]])), '')
  // the other does not want it any more
  assert.equal(refusals('stack:shop', []), '')
  assert.equal(refusals('stack:shop_db', second), '')
})

const parts = {
  source: 'x',
  sources: { of: () => undefined, note() {}, hasFiles: () => false },
  policy: denyAll,
  ownRoots: [],
  files: { folder: '/files', seenAs: '/files', home: '/home' },
  ownFolder: 'app',
  tasks: { perform: async () => undefined },
  cacheKey: 'key',
  sees: () => true,
}
