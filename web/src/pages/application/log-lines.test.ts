/** Logs as they come. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogLine } from '#model/api.ts'
import { appended, marked, mostLines, numberOf, readLines, seamOf } from './log-lines.ts'

const line: LogLine = { at: 1, container: 'web', stream: 'stdout', text: 'hello' }

test('lines are put together from pieces of any size, without colours', async () => {
  const bytes = new TextEncoder().encode(
    `${JSON.stringify(line)}\n${JSON.stringify({ ...line, text: '\u001b[32mü\u001b[0m' })}\n`,
  )
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(control) {
      for (let at = 0; at < bytes.length; at += 7) control.enqueue(bytes.slice(at, at + 7))
      control.close()
    },
  })
  const taken: LogLine[] = []
  await readLines(body, (lines) => taken.push(...lines))
  assert.deepEqual(
    taken.map(({ text }) => text),
    ['hello', 'ü'],
  )
})

test('only the newest lines are kept', () => {
  const many = appended(
    [],
    Array.from({ length: mostLines + 5 }, (_, at) => ({ ...line, at })),
  )
  assert.equal(many.length, mostLines)
  assert.equal(many[0]?.at, 5)
})

test('what was searched for is marked, whatever its case', () => {
  assert.deepEqual(marked('an Error, error', 'error'), [
    ['an ', false],
    ['Error', true],
    [', ', false],
    ['error', true],
  ])
})

test('a stream that is opened again tells nothing twice, and loses nothing', () => {
  const seam = seamOf()
  assert.equal(seam.from(), undefined)
  const at = (time: number, text: string) => ({ ...line, at: time, text })
  seam.passing([at(1000, 'old'), at(9000, 'tick'), at(9000, 'tick'), at(9500, 'last')])
  assert.equal(seam.from(), 7500)
  const texts = seam
    .passing([at(9000, 'tick'), at(9000, 'tick'), at(9000, 'tick'), at(9500, 'last')])
    .map(({ text }) => text)
  // the third was written in the same moment as the two before
  assert.deepEqual(texts, ['tick'])
  assert.deepEqual(seam.passing([at(9500, 'last')]), [at(9500, 'last')])
})

test('a line keeps its number while those before it are cut off', () => {
  const lines = Array.from({ length: mostLines }, (_, at) => ({ ...line, at }))
  const numbers = lines.map(numberOf)
  const later = appended(lines, [{ ...line, at: mostLines }])
  assert.deepEqual(later.slice(0, -1).map(numberOf), numbers.slice(1))
  assert.equal(new Set(later.map(numberOf)).size, mostLines)
})
