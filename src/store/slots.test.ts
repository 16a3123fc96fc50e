/** Slots are shared: never more than allowed, none unused while somebody waits, and nobody waits for ever. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotsFor } from './slots.ts'

type Row = { readonly id: string; ended: boolean; slots: number; wants: number; running: number }

/** Each replica has work enough, and starts all that it may; the one whose turn it is says so. */
function exchange(rows: readonly Row[], row: Row, concurrency: number): void {
  const { id, ended: hasEnded, running, wants } = row
  row.slots = slotsFor({ id, replicas: rows, hasEnded, running, wants, concurrency })
  row.ended = false
  const begun = Math.min(row.wants, row.slots - row.running)
  row.running += begun
  row.wants -= begun
}

function endOne(row: Row): void {
  row.running -= 1
  row.ended = true
}

function rowsOf(count: number, wants: number): Row[] {
  const nothing = { slots: 0, running: 0, ended: false }
  return Array.from({ length: count }, (_, at) => ({ id: `r${at}`, ...nothing, wants }))
}

function all(rows: readonly Row[], field: 'slots' | 'running'): number {
  return rows.reduce((sum, row) => sum + row[field], 0)
}

for (const [replicas, concurrency] of [
  [3, 2],
  [5, 2],
  [2, 5],
  [3, 4],
  [1, 3],
] as const) {
  test(`${replicas} replicas with much to do use all ${concurrency} slots`, () => {
    const rows = rowsOf(replicas, 50)
    for (let round = 0; round < 3; round += 1) {
      for (const row of rows) exchange(rows, row, concurrency)
      assert.ok(all(rows, 'slots') <= concurrency)
    }
    assert.equal(all(rows, 'running'), concurrency)
  })

  test(`${replicas} replicas with ${concurrency} slots: whoever waits has a turn soon`, () => {
    const rows = rowsOf(replicas, 1_000)
    const began = new Map(rows.map(({ id }) => [id, 0]))
    for (let step = 0; step < 60; step += 1) {
      const row = rows[step % replicas]
      assert.ok(row !== undefined)
      // one of its runs ends, and it looks for the next
      if (row.running > 0) endOne(row)
      const before = row.wants
      exchange(rows, row, concurrency)
      assert.ok(all(rows, 'slots') <= concurrency, `step ${step}`)
      began.set(row.id, (began.get(row.id) ?? 0) + before - row.wants)
    }
    for (const [id, count] of began) assert.ok(count > 0, `${id} never had a turn`)
  })
}

test('one that had all gives back what is beyond its share as its runs end', () => {
  const rows = rowsOf(2, 50)
  const [one, other] = rows
  assert.ok(one !== undefined && other !== undefined)
  other.wants = 0
  exchange(rows, one, 4)
  other.wants = 50
  exchange(rows, other, 4)
  assert.deepEqual([one.running, other.running], [4, 0])
  for (let ended = 0; ended < 2; ended += 1) {
    endOne(one)
    exchange(rows, one, 4)
    exchange(rows, other, 4)
  }
  assert.deepEqual([one.running, other.running], [2, 2])
})
