/** Newline-delimited JSON, as it comes: events, pulls, builds. */
import type { JsonRecord } from '#model/json.ts'
import { recordOf } from '#model/read-json.ts'
import { parsedInTurns } from './json-in-turns.ts'

/** An event carries all labels of its container: a line may come in many parts, and is put together once. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncIterable<JsonRecord> {
  let begun: Uint8Array[] = []
  for await (const part of stream) {
    let from = 0
    for (let end = part.indexOf(newline); end >= 0; end = part.indexOf(newline, from)) {
      const line = joined([...begun, part.subarray(from, end)])
      if (!isEmpty(line)) yield recordOf(await parsedInTurns(line))
      begun = []
      from = end + 1
    }
    if (from < part.length) begun.push(part.subarray(from))
  }
  const rest = joined(begun)
  if (!isEmpty(rest)) yield recordOf(await parsedInTurns(rest))
}

const newline = 0x0a

function joined(parts: readonly Uint8Array[]): Buffer {
  const [only] = parts
  if (only === undefined || parts.length > 1) return Buffer.concat(parts)
  return Buffer.from(only.buffer, only.byteOffset, only.length)
}

function isEmpty(line: Buffer): boolean {
  return line.length < 3 && line.toString('latin1').trim() === ''
}
