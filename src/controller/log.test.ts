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

test('no control character of a commit message, a branch, a file, a header or an engine gets into a line', () => {
  const planted = 'a\u009b31m\u001b]0;title\u0007b\u202ec\r\nINFO forged\u2028d\u007f'
  for (const format of ['text', 'json'] as const) {
    const lines: string[] = []
    const log = logTo(
      (line) => lines.push(line),
      { level: 'info', format },
      () => 0,
    )
    log('info', planted, { commit: planted, branch: planted, file: planted, why: planted })
    assert.equal(lines.length, 1)
    // oxlint-disable-next-line no-control-regex
    assert.doesNotMatch(lines[0]!, /[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/)
    if (format === 'json') assert.equal(JSON.parse(lines[0]!).commit, planted)
  }
})
