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

/** Some answers are empty, some are a bare "OK". Whatever is long is parsed in turns with other work. */
export async function jsonFrom({ body }: Answered): Promise<Json> {
  const parts: Uint8Array[] = []
  let list: ListReader | undefined
  for await (const part of body) {
    if (parts.length === 0 && isListBegin(part)) list ??= listReader()
    if (list === undefined) parts.push(part)
    else await list.read(part)
  }
  return list === undefined ? jsonOf(Buffer.concat(parts)) : list.items()
}

async function jsonOf(bytes: Buffer): Promise<Json> {
  if (bytes.length === 0) return null
  try {
    return await parsedInTurns(bytes)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // a bare text is an answer too
    return bytes.toString('utf8')
  }
}
