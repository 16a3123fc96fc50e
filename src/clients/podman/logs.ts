/** What a container wrote, line by line, as Podman sends it. */
import { segment, type Podman } from './client.ts'

export async function* logLines(
  podman: Podman,
  object: string,
  wanted: { readonly tail: number | undefined; readonly follows: boolean },
  signal: AbortSignal,
): AsyncIterable<string> {
  const { tail, follows } = wanted
  const stream = await podman.stream('GET', `/containers/${segment(object)}/logs`, {
    query: { stdout: true, stderr: true, follow: follows, tail },
    signal,
    doing: `could not read the log of container ${object}`,
    ...(follows ? { silence: 0 } : {}),
  })
  yield* linesOf(unframed(stream))
}

const header = 8

/** Each piece of a log has a header of eight bytes: the stream, three zeros, its length. */
export async function* unframed(stream: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const part of stream) {
    rest = Buffer.concat([rest, part])
    while (rest.length >= header) {
      const end = header + rest.readUInt32BE(4)
      if (rest.length < end) break
      yield rest.subarray(header, end)
      rest = rest.subarray(end)
    }
  }
}

async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncIterable<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
