/** The checker finds each thing that it looks for, where it is put in on purpose, and nothing in a history that is right. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsIn, faultsOnLabels, type Made, type Write } from './history.ts'

const key = 'stack:web'

function lease(token: string, generation: number, at: number, expiresAt = at + 100): Write {
  return { of: 'lease', key, token, generation, expiresAt, at }
}

function run(of: 'begin' | 'event' | 'end', number: number, generation: number, at: number): Write {
  return { of, key, run: number, generation, at }
}

function ended(number: number, generation: number, at: number, hash: string, changes = 1): Write {
  return { of: 'end', key, run: number, generation, at, done: { hash, changes } }
}

const right: readonly Write[] = [
  lease('a', 1, 0),
  run('begin', 1, 1, 1),
  run('event', 1, 1, 2),
  lease('a', 1, 50),
  ended(1, 1, 60, 'one'),
  lease('', 1, 61, 0),
  // its holder dies
  lease('b', 2, 70),
  run('begin', 2, 2, 71),
  lease('c', 3, 171),
  run('begin', 3, 3, 172),
  ended(3, 3, 173, 'two'),
]

test('nothing is wrong with leases that are taken in turn, killed and taken over', () => {
  assert.deepEqual(faultsIn(right), [])
})

test('what was changed by hand is put right by another run of the same', () => {
  assert.deepEqual(faultsIn([...right, run('begin', 4, 3, 180), ended(4, 3, 181, 'two')]), [])
})

test('the lease of a process that is dead is free at once', () => {
  const early = [...right, lease('d', 4, 200, 300)]
  assert.deepEqual(faultsIn(early, [190]), [])
  assert.equal(faultsIn(early, [150]).length, 1)
})

const seeded: Readonly<Record<string, { readonly more: readonly Write[]; readonly says: RegExp }>> =
  {
    'two hold one lease': { more: [lease('d', 4, 200, 300)], says: /was taken 71 ms before 3/ },
    'a generation that shrinks': { more: [lease('', 2, 200, 0)], says: /generation 2 after 3/ },
    'a generation for two': { more: [lease('e', 3, 300)], says: /another holder under the same/ },
    'an event of a run that was taken over': {
      more: [run('event', 2, 2, 180)],
      says: /event of run 2 under generation 2, though 3/,
    },
    'an end of a run that was taken over': {
      more: [run('end', 2, 2, 180)],
      says: /end of run 2 under generation 2, though 3/,
    },
    'two runs at once': {
      more: [run('begin', 4, 3, 180), run('begin', 5, 3, 181)],
      says: /run 5 began while run 4 went on/,
    },
    'a run that does again what was done': {
      more: [run('begin', 4, 3, 180), ended(4, 3, 181, 'two', 0)],
      says: /run 4 did again what the run before it had done/,
    },
    'a number that was given before': {
      more: [run('begin', 4, 3, 180), lease('f', 4, 300), run('begin', 4, 4, 301)],
      says: /run 4 began after run 4/,
    },
  }

for (const [name, { more, says }] of Object.entries(seeded)) {
  test(`it finds ${name}`, () => {
    const [first] = faultsIn([...right, ...more])
    assert.match(first ?? '', says)
  })
}

/** Generation 1 began its run at 1, generation 2 at 71, generation 3 at 172. */
const made: Made = { key, name: 'web-1', generation: 2, at: 100 }

test('nothing is wrong with what each run made while it had the right to', () => {
  const all = [made, { ...made, generation: 1, at: 30 }, { ...made, generation: 3, at: 400 }]
  assert.deepEqual(faultsOnLabels(right, all), [])
})

const labelled: Readonly<Record<string, { readonly one: Partial<Made>; readonly says: RegExp }>> = {
  'a label of no run': { one: { generation: 7 }, says: /under generation 7 .* no run began/ },
  'a label of another application': { one: { key: 'stack:other' }, says: /no run began/ },
  'a label from before its run': { one: { at: 70 }, says: /made before generation 2/ },
  'what a run made that was taken over': {
    one: { at: 173 },
    says: /under generation 2 .* after generation 3 began its run/,
  },
}

for (const [name, { one, says }] of Object.entries(labelled)) {
  test(`it finds ${name}`, () => {
    const [first] = faultsOnLabels(right, [{ ...made, ...one }])
    assert.match(first ?? '', says)
  })
}
