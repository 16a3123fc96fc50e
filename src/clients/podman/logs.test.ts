import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unframed } from './logs.ts'

function framed(piece: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header[0] = 1
  header.writeUInt32BE(piece.length, 4)
  return Buffer.concat([header, piece])
}

async function* cut(bytes: Buffer, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('pieces come out whole however the stream is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string()),
      fc.integer({ min: 1, max: 40 }),
      async (texts, size) => {
        const pieces = texts.map((text) => Buffer.from(text))
        const found: string[] = []
        for await (const piece of unframed(cut(Buffer.concat(pieces.map(framed)), size))) {
          found.push(piece.toString())
        }
        assert.deepEqual(
          found,
          texts.map((text) => Buffer.from(text).toString()),
        )
      },
    ),
  )
})
