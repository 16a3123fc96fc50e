/** Logs that are followed through restarts and replacements, on streams in memory. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TimedLine } from '#model/connection.ts'
import { followLogs } from './follow-logs.ts'

const quick = { every: 5, patience: 60 }

function line(second: number, text: string): TimedLine {
  const time = new Date(second * 1000).toISOString()
  return { time, at: second * 1000, stream: 'stdout', text }
}

test('one that was restarted and one that is new are heard, nothing twice, and it ends when none comes back', async () => {
  /** What each reading of a container gives; then it has ended. */
  const readings: Record<string, TimedLine[][]> = {
    web: [[line(1, 'one')], [line(1, 'one'), line(2, 'two')]],
    late: [[line(3, 'three')]],
  }
  let there = ['web']
  let mark = 0
  const asked: string[] = []
  const heard: string[] = []
  const followed = followLogs(
    {
      names: there,
      lasts: new Map(),
      look: async () => there,
      mark: () => mark,
      read(container, last, isFirst) {
        asked.push(`${container} ${last} ${isFirst}`)
        return readings[container]?.shift() ?? []
      },
      signal: new AbortController().signal,
    },
    quick,
  )
  for await (const { container, line: told } of followed) {
    heard.push(`${container} ${told.text}`)
    if (told.text !== 'two') continue
    there = ['web', 'late']
    mark += 1
  }
  assert.deepEqual(heard, ['web one', 'web two', 'late three'])
  assert.equal(asked[0], 'web  true')
  assert.equal(asked[1], 'web 1970-01-01T00:00:01.000Z false')
  assert.ok(asked.includes('late  false'), asked.join('\n'))
})

test('while nothing changes nobody is asked', async () => {
  const control = new AbortController()
  let looks = 0
  const followed = followLogs(
    {
      names: ['web'],
      lasts: new Map(),
      look: async () => {
        looks += 1
        return ['web']
      },
      mark: () => 0,
      async *read() {
        yield line(1, 'one')
        await new Promise((done) => control.signal.addEventListener('abort', done))
      },
      signal: control.signal,
    },
    quick,
  )
  setTimeout(() => control.abort(), 100)
  const heard: string[] = []
  for await (const { line: told } of followed) heard.push(told.text)
  assert.deepEqual(heard, ['one'])
  assert.equal(looks, 0)
})
