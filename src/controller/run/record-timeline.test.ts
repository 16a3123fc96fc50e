import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunRow } from '#model/api.ts'
import { memoryTimeline } from '#store/timeline.ts'
import { statusOf } from '../../../test/fake/service.ts'
import { recordTimeline } from './record-timeline.ts'

const summary = { created: 0, updated: 1, deleted: 0, unchanged: 0, failed: 0, skipped: 0 }

function row(number: number, startedAt: number, more: Partial<RunRow>): RunRow {
  const about = { key: 'stack:shop', trigger: 'refresh', version: '', hash: '' } as const
  return { ...about, number, startedAt, isRolledBack: false, hasSnapshot: true, ...more }
}

test('a run that ends after a newer declaration was refused is told with its own number', async () => {
  const timeline = memoryTimeline()
  const runs = [row(3, 4_000, { outcome: 'refused' }), row(2, 1_000, { outcome: 'succeeded' })]
  const service = { apps: () => [], sourceRows: () => [], runPage: async () => runs }
  const recorder = recordTimeline(service, timeline, { now: () => 6_000 }, () => undefined)
  const ended = { type: 'ended', outcome: 'succeeded', isRolledBack: false, summary } as const
  const event = { ...ended, at: 6_000, milliseconds: 5_000 }
  recorder.see({ type: 'run', key: 'stack:shop', event })
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  const [entry] = await timeline.read({ limit: 1 })
  assert.equal(entry?.text, 'run 2 (refresh) succeeded: 1 updated')
  assert.equal(entry?.run, 2)
})

test('what only waits for something newer of its source is told as behind, not as drifted', async () => {
  const timeline = memoryTimeline()
  const before = { ...statusOf('shop'), sync: { state: 'synced', reason: '', since: 0 } } as const
  const service = { apps: () => [before], sourceRows: () => [], runPage: async () => [] }
  const recorder = recordTimeline(service, timeline, { now: () => 6_000 }, () => undefined)
  const sync = { state: 'drifted', reason: 'it waits', since: 1, isBehind: true } as const
  recorder.see({ type: 'app', status: { ...before, sync } })
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  const [entry] = await timeline.read({ limit: 1 })
  assert.equal(entry?.text, 'it is behind: it waits')
})
