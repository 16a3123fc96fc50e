/** The logs of a container, line by line, as Podman sends them. */
import { segment } from '#clients/containers/calls.ts'
import { cutLine } from '#clients/containers/cut-line.ts'
import type { Podman } from './client.ts'

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

/** The last lines it wrote, both streams in order. */
export async function lastLines(
  podman: Podman,
  object: string,
  count: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of logLines(podman, object, { tail: count, follows: false }, signal)) {
    if (line === '') continue
    lines.push(line)
    if (lines.length > count) lines.shift()
  }
  return lines
}

const header = 8

export type TimedLogLine = {
  readonly at: number
  readonly time: string
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** Each line with the time that Podman recorded; `since` is in ms. */
export async function* timedLogLines(
  podman: Podman,
  object: string,
  wanted: {
    readonly tail: number | undefined
    readonly follows: boolean
    readonly since: number | undefined
  },
  signal: AbortSignal,
): AsyncIterable<TimedLogLine> {
  const { tail, follows } = wanted
  const since = wanted.since === undefined ? undefined : new Date(wanted.since).toISOString()
  const parts = await podman.stream('GET', `/containers/${segment(object)}/logs`, {
    query: { stdout: true, stderr: true, follow: follows, tail, timestamps: true, since },
    signal,
    doing: `could not read the log of container ${object}`,
    ...(follows ? { silence: 0 } : {}),
  })
  yield* timed(parts)
}

async function* timed(parts: AsyncIterable<Uint8Array>): AsyncIterable<TimedLogLine> {
  let rest = Buffer.alloc(0)
  for await (const part of parts) {
    rest = Buffer.concat([rest, part])
    while (rest.length >= header) {
      const end = header + rest.readUInt32BE(4)
      if (rest.length < end) break
      const stream = rest[0] === 2 ? 'stderr' : 'stdout'
      for (const line of rest.subarray(header, end).toString('utf8').split('\n')) {
        const space = line.indexOf(' ')
        const time = space < 0 ? line : line.slice(0, space)
        const at = Date.parse(time)
        if (!Number.isNaN(at)) {
          yield { at, time, stream, text: cutLine('', line.slice(time.length + 1)) }
        }
      }
      rest = rest.subarray(end)
    }
  }
}

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
    const [first = '', ...others] = decoder.decode(piece, { stream: true }).split('\n')
    const lines = [cutLine(rest, first), ...others.map((line) => cutLine('', line))]
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
