import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noon, operation, passed } from '../../../test/fake/events.ts'
import { plain } from './paint.ts'
import { progressOf } from './progress.ts'

test('a line for each step that takes long, gone when it ends', () => {
  const progress = progressOf(plain)
  progress.on(operation('container/web', noon, 'podman create web'))
  progress.on(operation('container/quick', noon + 900, 'podman create quick'))
  progress.on({ at: noon + 500, type: 'progress', ref: 'container/web', text: 'pulling 45%' })
  assert.deepEqual(
    progress.lines(noon + 1000, 80).map((line) => line.slice(4)),
    ['web                pulling 45% (1s)'],
  )
  assert.equal(progress.lines(noon + 1000, 20)[0]?.length, 19)
  for (const event of passed('container/web', 'create', 1000)) progress.on(event)
  assert.deepEqual(progress.lines(noon + 1000, 80), [])
})

test('many at once are counted', () => {
  const progress = progressOf(plain)
  for (let index = 0; index < 11; index++) {
    progress.on({ at: noon, type: 'progress', ref: `container/c${index}`, text: 'waiting' })
  }
  assert.equal(progress.lines(noon + 1000, 80).at(-1), '    and 3 more')
})
