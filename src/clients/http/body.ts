/** Reads the body of an answer to its end. */
import type { Json } from '#model/json.ts'
import { parsedInTurns } from './json-in-turns.ts'
import { isListBegin, listReader, type ListReader } from './list-in-turns.ts'

type Answered = { readonly body: AsyncIterable<Uint8Array> }

export async function textFrom({ body }: Answered): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** What is not longer is parsed at once: that takes some milliseconds, and to look for pieces takes as long. */
const atOnce = 2 * 1024 * 1024

/** Some answers are empty, some are a bare "OK". Whatever is long is parsed in turns with other work. */
export async function jsonFrom({ body }: Answered): Promise<Json> {
  const parts: Uint8Array[] = []
  let length = 0
  let list: ListReader | undefined
  for await (const part of body) {
    parts.push(part)
    length += part.length
    const [first = part] = parts
    if (list === undefined && length > atOnce && isListBegin(first)) list = listReader()
    if (list !== undefined) for (const one of parts.splice(0)) await list.read(one)
  }
  return list === undefined ? jsonOf(Buffer.concat(parts)) : list.items()
}

async function jsonOf(bytes: Buffer): Promise<Json> {
  if (bytes.length === 0) return null
  try {
    if (bytes.length > atOnce) return await parsedInTurns(bytes)
    const value: Json = JSON.parse(bytes.toString('utf8'))
    return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // a bare text is an answer too
    return bytes.toString('utf8')
  }
}
