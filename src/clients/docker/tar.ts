/** Writes tar archives: files for containers, contexts for builds. Reads back a single file. */

export type TarEntry = {
  /** The path, without a slash at its beginning. */
  readonly path: string
  readonly mode: number
  readonly uid?: number
  readonly gid?: number
  /** Seconds since the epoch; by default 0, so that the same files are the same bytes. */
  readonly time?: number
} & (
  | { readonly type: 'file'; readonly content: Uint8Array }
  | { readonly type: 'folder' }
  | { readonly type: 'link'; readonly target: string }
)

/** A file that is never in memory as a whole. */
export type StreamedFile = {
  readonly type: 'stream'
  readonly path: string
  readonly mode: number
  readonly size: number
  /** As many bytes as `size` says. */
  readonly pieces: AsyncIterable<Uint8Array>
}

export function tarBytes(entries: Iterable<TarEntry>): Uint8Array {
  return Buffer.concat([...[...entries].flatMap(partsOf), ending])
}

/** Gives the archive piece by piece: one entry is in memory at a time. */
export async function* tarStream(
  entries: Iterable<TarEntry> | AsyncIterable<TarEntry | StreamedFile>,
): AsyncIterable<Uint8Array> {
  for await (const entry of entries) {
    if (entry.type === 'stream') yield* streamed(entry)
    else yield* partsOf(entry)
  }
  yield ending
}

async function* streamed({ path, mode, size, pieces }: StreamedFile): AsyncIterable<Uint8Array> {
  yield* headed({ type: 'file', path, mode, content: Buffer.alloc(0) }, size)
  yield* pieces
  yield Buffer.alloc(missingTo(size))
}

const block = 512
const ending = Buffer.alloc(2 * block)
const kinds = { file: '0', link: '2', folder: '5' } as const

function partsOf(entry: TarEntry): readonly Uint8Array[] {
  const content = entry.type === 'file' ? entry.content : Buffer.alloc(0)
  return [...headed(entry, content.length), ...padded(content)]
}

/** What stands before the content. */
function headed(entry: TarEntry, size: number): readonly Uint8Array[] {
  const path = entry.type === 'folder' ? `${entry.path.replace(/\/*$/, '')}/` : entry.path
  const target = entry.type === 'link' ? entry.target : ''
  const long = [
    ...(fits(path) ? [] : [record('path', path)]),
    ...(fits(target) ? [] : [record('linkpath', target)]),
  ]
  const head = header(entry, path, target, kinds[entry.type], size)
  if (long.length === 0) return [head]
  const extra = Buffer.concat(long)
  const name = { path: 'PaxHeader', mode: 0o644 }
  return [header(name, 'PaxHeader', '', 'x', extra.length), ...padded(extra), head]
}

/** Whether a name fits into the header, which has room for a hundred plain characters. Other names need a record before the entry. */
function fits(text: string): boolean {
  return text.length <= 100 && /^[\x20-\x7e]*$/.test(text)
}

/** A record begins with its own length, which counts its own digits too. */
function record(name: string, value: string): Buffer {
  const rest = Buffer.from(` ${name}=${value}\n`)
  let length = rest.length + 1
  while (length !== rest.length + String(length).length)
    length = rest.length + String(length).length
  return Buffer.concat([Buffer.from(String(length)), rest])
}

function header(
  owner: Pick<TarEntry, 'mode' | 'uid' | 'gid' | 'time'>,
  path: string,
  target: string,
  kind: string,
  size: number,
): Buffer {
  const bytes = Buffer.alloc(block)
  bytes.write(path.slice(0, 100), 0, 'latin1')
  bytes.write(octal(owner.mode, 7), 100)
  bytes.write(octal(owner.uid ?? 0, 7), 108)
  bytes.write(octal(owner.gid ?? 0, 7), 116)
  bytes.write(octal(size, 11), 124)
  bytes.write(octal(owner.time ?? 0, 11), 136)
  bytes.write(' '.repeat(8), 148)
  bytes.write(kind, 156)
  bytes.write(target.slice(0, 100), 157, 'latin1')
  bytes.write('ustar\u000000', 257)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${octal(sum, 6)}\0 `, 148)
  return bytes
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function padded(content: Uint8Array): readonly Uint8Array[] {
  const missing = missingTo(content.length)
  return missing === 0 ? [content] : [content, Buffer.alloc(missing)]
}

/** Bytes that fill up the last block. */
function missingTo(size: number): number {
  return (block - (size % block)) % block
}

/** What the first plain file of an archive holds; whatever only describes it is passed over. */
export function firstFileIn(tar: Uint8Array): Uint8Array | undefined {
  const bytes = Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength)
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0;) {
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8) || 0
    const kind = bytes.toString('latin1', at + 156, at + 157)
    const start = at + block
    if (kind === kinds.file || kind === '\0') return bytes.subarray(start, start + size)
    at = start + Math.ceil(size / block) * block
  }
  return undefined
}
