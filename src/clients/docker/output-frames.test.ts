import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { outputLines, outputOf } from './output-frames.ts'

function frame(stream: number, text: string): Buffer {
  const bytes = Buffer.from(text)
  const header = Buffer.alloc(8)
  header[0] = stream
  header.writeUInt32BE(bytes.length, 4)
  return Buffer.concat([header, bytes])
}

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncIterable<Uint8Array> {
  let at = 0
  for (let index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

async function linesFrom(bytes: Buffer, sizes: readonly number[]): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const { from, line } of outputLines(outputOf(cut(bytes, sizes)))) {
    lines.push(`${from}: ${line}`)
  }
  return lines
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })

test('framed output comes out line by line, wherever it was cut on the way', async () => {
  const texts = fc.array(fc.tuple(fc.constantFrom(1, 2), fc.string({ unit: 'grapheme' })), {
    minLength: 1,
  })
  await fc.assert(
    fc.asyncProperty(texts, sizes, async (pieces, cuts) => {
      const clean = pieces.map(([from, text]) => [from, text.replaceAll(/[\r\n]/g, '')] as const)
      const bytes = Buffer.concat(clean.map(([from, text]) => frame(from, `${text}\n`)))
      const expected = clean.map(([from, text]) => `${from === 2 ? 'stderr' : 'stdout'}: ${text}`)
      assert.deepEqual(await linesFrom(bytes, cuts), expected)
    }),
    { numRuns: 200 },
  )
})

test('a line in pieces with the other stream in between stays one line', async () => {
  const bytes = Buffer.concat([frame(1, 'one '), frame(2, 'err\n'), frame(1, 'line\nrest')])
  const lines = ['stderr: err', 'stdout: one line', 'stdout: rest']
  assert.deepEqual(await linesFrom(bytes, [3]), lines)
})

test('a terminal’s output is bare', async () => {
  const bytes = Buffer.from('hello\r\nthere, a longer line\r\nend')
  const lines = ['stdout: hello', 'stdout: there, a longer line', 'stdout: end']
  for (const size of [1, 2, 5, 100]) assert.deepEqual(await linesFrom(bytes, [size]), lines)
  assert.deepEqual(await linesFrom(Buffer.from('ab'), [1]), ['stdout: ab'])
  assert.deepEqual(await linesFrom(Buffer.alloc(0), [1]), [])
})
