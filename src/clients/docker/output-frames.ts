/** The output of a container as engines send it: pieces with a header of eight bytes, or bare bytes of a terminal. */
import { cutLine } from '#clients/containers/cut-line.ts'

export type Output = { readonly from: 'stdout' | 'stderr'; readonly bytes: Uint8Array }

/**
 * The header is the stream (0 to 2), three zeros and the length. Which of the two forms it is old engines do not say, but no
 * terminal's output begins like a header.
 */
export async function* outputOf(stream: AsyncIterable<Uint8Array>): AsyncIterable<Output> {
  let rest: Buffer = Buffer.alloc(0)
  let isFramed: boolean | undefined
  for await (const part of stream) {
    rest = rest.length === 0 ? Buffer.from(part) : Buffer.concat([rest, part])
    if (isFramed === undefined && rest.length >= 4) isFramed = looksFramed(rest)
    if (isFramed === undefined) continue
    if (!isFramed) {
      yield { from: 'stdout', bytes: rest }
      rest = Buffer.alloc(0)
      continue
    }
    while (rest.length >= 8) {
      const end = 8 + rest.readUInt32BE(4)
      if (rest.length < end) break
      if (end > 8) yield { from: rest[0] === 2 ? 'stderr' : 'stdout', bytes: rest.subarray(8, end) }
      rest = rest.subarray(end)
    }
  }
  if (rest.length > 0 && isFramed !== true) yield { from: 'stdout', bytes: rest }
}

function looksFramed(bytes: Buffer): boolean {
  return (bytes[0] ?? 255) <= 2 && bytes[1] === 0 && bytes[2] === 0 && bytes[3] === 0
}

export type OutputLine = { readonly from: Output['from']; readonly line: string }

/** Puts the lines of each stream together: a line may come in pieces, with lines of the other stream in between. */
export async function* outputLines(output: AsyncIterable<Output>): AsyncIterable<OutputLine> {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
  const rests = { stdout: '', stderr: '' }
  for await (const { from, bytes } of output) {
    const [first = '', ...others] = decoders[from].decode(bytes, { stream: true }).split('\n')
    const lines = [cutLine(rests[from], first), ...others.map((line) => cutLine('', line))]
    rests[from] = lines.pop() ?? ''
    for (const line of lines) yield { from, line: line.replace(/\r$/, '') }
  }
  for (const from of ['stdout', 'stderr'] as const) {
    if (rests[from] !== '') yield { from, line: rests[from] }
  }
}
