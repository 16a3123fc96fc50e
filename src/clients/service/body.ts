/** Reads answers: whole, or line by line as they come. */
import { defined } from '#model/defined.ts'

const largest = 256 * 1024 ** 2

export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > largest) throw new Error('the answer is larger than 256 MiB')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

export async function* readLines(body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of body) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = defined(lines.pop())
    yield* lines
  }
  if (rest !== '') yield rest
}
