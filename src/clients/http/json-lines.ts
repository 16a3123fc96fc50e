/** Newline-delimited JSON, as it comes: events, pulls, builds. */
import type { JsonRecord } from '#model/json.ts'
import { recordOf } from '#model/read-json.ts'

export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncIterable<JsonRecord> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of stream) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield recordOf(JSON.parse(line))
  }
  if (rest.trim() !== '') yield recordOf(JSON.parse(rest))
}
