/** What a line of the log may be made to say by others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logTo } from './log.ts'

test('JSON: no field takes the place of the time, the level or the message', () => {
  const lines: string[] = []
  const log = logTo(
    (line) => lines.push(line),
    { level: 'info', format: 'json' },
    () => 0,
  )
  log('info', 'new revision', { message: 'forged', level: 'error', time: 'never', commit: 'a' })
  assert.deepEqual(JSON.parse(lines[0]!), {
    time: '1970-01-01T00:00:00.000Z',
    level: 'info',
    message: 'new revision',
    commit: 'a',
  })
})
