/** The acceptance list and the defects of the origin: each has a test that names it. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const rows = 23
const defects = 19

test('every row of the acceptance list and every defect has a test of its name', () => {
  const files = [...globSync('test/{e2e,faults}/fleet*.test.ts'), ...globSync('src/**/*.test.ts')]
  const named = { acceptance: new Set<number>(), defect: new Set<number>() }
  for (const file of files) {
    for (const [, heads] of readFileSync(file, 'utf8').matchAll(
      /'((?:(?:acceptance|defect) \d+(?:, )?(?:\d+(?:, )?)*)+): /g,
    )) {
      for (const [, kind, numbers] of heads!.matchAll(/(acceptance|defect) ((?:\d+(?:, )?)+)/g)) {
        for (const number of numbers!.match(/\d+/g) ?? []) {
          named[kind === 'defect' ? 'defect' : 'acceptance'].add(Number(number))
        }
      }
    }
  }
  const missing = (found: ReadonlySet<number>, count: number): readonly number[] =>
    Array.from({ length: count }, (_, index) => index + 1).filter((one) => !found.has(one))
  assert.deepEqual(missing(named.acceptance, rows), [])
  assert.deepEqual(missing(named.defect, defects), [])
})
