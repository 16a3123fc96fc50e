/** Reads the body of an answer to its end. */
import type { Json } from '#model/json.ts'

export async function textFrom({
  body,
}: {
  readonly body: AsyncIterable<Uint8Array>
}): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** Some answers are empty, some are a bare "OK". */
export function jsonOf(text: string): Json {
  if (text === '') return null
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch {
    // a bare text is an answer too
    return text
  }
}
