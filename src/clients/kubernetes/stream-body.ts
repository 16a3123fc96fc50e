/** What comes in on a stream, taken off it at once: some servers close a stream the moment they are done, and what lies in it unread is lost. */
import type { ClientHttp2Stream } from 'node:http2'

export type Body = AsyncIterable<Uint8Array>

/** No more than this many bytes are taken before somebody asks for them. */
const most = 1 << 20

/** Has to be called before the first part can come. Ends when the other side ends the stream, and throws whatever breaks it. */
export function bodyOf(
  stream: ClientHttp2Stream,
  isAborted: () => boolean,
  broken: (error: unknown) => Error,
): Body {
  const parts: Buffer[] = []
  let waiting = 0
  let isOver = false
  let failure: Error | undefined
  let wake = (): void => undefined

  stream.on('data', (part: Buffer) => {
    parts.push(part)
    waiting += part.length
    if (waiting > most) stream.pause()
    wake()
  })
  stream.on('error', (error) => (failure ??= broken(error)))
  stream.once('close', () => {
    // an end is no sign: it comes also when the connection is lost
    if (stream.rstCode !== 0 || isAborted()) failure ??= broken(undefined)
    isOver = true
    wake()
  })

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const part = parts.shift()
        if (part !== undefined) {
          waiting -= part.length
          if (waiting <= most && stream.isPaused()) stream.resume()
          yield part
        } else if (failure !== undefined) throw failure
        else if (isOver) return
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      // left early: nobody will read the rest
      if (!stream.closed) stream.close(8)
    }
  }
  return read()
}
