/** Reads a tar archive as it comes: names, kinds and contents, one entry at a time. */

export type TarEntry = {
  readonly path: string
  readonly kind: 'file' | 'folder' | 'other'
  readonly isProgram: boolean
  /** The content of a plain file; empty for every other entry. */
  readonly content: Buffer
}

export class BadArchive extends Error {}

const block = 512
/** The size of headers that only hold a longer name, at most. */
const longestName = 64 * 1024

/** `largest`: bytes that one entry may have. Throws BadArchive for what is no archive, or one that was cut. */
export async function* tarEntries(
  bytes: AsyncIterable<Uint8Array>,
  largest: number,
): AsyncIterable<TarEntry> {
  const reader = readerOf(bytes)
  let longName: string | undefined
  for (;;) {
    const header = await reader.take(block)
    if (header === undefined || header.every((byte) => byte === 0)) return
    checkSum(header)
    const kind = header.toString('latin1', 156, 157)
    const size = numberIn(header, 124, 12)
    const isName = kind === 'x' || kind === 'L'
    if (size > (isName ? longestName : largest)) {
      throw new BadArchive(`it holds a file of ${size} bytes: ${nameIn(header)}`)
    }
    const content = (await reader.take(size)) ?? cut()
    if (size % block !== 0 && (await reader.take(block - (size % block))) === undefined) cut()
    if (kind === 'x') longName = paxPath(content) ?? longName
    else if (kind === 'L') longName = textIn(content, 0, content.length)
    // 'g' describes all that follows, 'K' a link: nothing that counts here
    else if (kind !== 'g' && kind !== 'K') {
      const path = longName ?? nameIn(header)
      longName = undefined
      const isFile = kind === '0' || kind === '\0'
      const isProgram = (numberIn(header, 100, 8) & 0o111) !== 0
      const what = isFile ? 'file' : kind === '5' ? 'folder' : 'other'
      yield { path, kind: what, isProgram, content: isFile ? content : Buffer.alloc(0) }
    }
  }
}

function cut(): never {
  throw new BadArchive('it was cut off')
}

function nameIn(header: Buffer): string {
  const name = textIn(header, 0, 100)
  const isUstar = header.toString('latin1', 257, 262) === 'ustar'
  const before = isUstar ? textIn(header, 345, 155) : ''
  return before === '' ? name : `${before}/${name}`
}

function textIn(header: Buffer, at: number, length: number): string {
  const bytes = header.subarray(at, at + length)
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? length : end)
}

/** A number in octal digits or, where those do not suffice, in binary after a first byte of 0x80. */
function numberIn(header: Buffer, at: number, length: number): number {
  if (header[at] === 0x80) return Number(header.readBigUInt64BE(at + length - 8))
  const text = textIn(header, at, length).trim()
  const value = text === '' ? 0 : Number.parseInt(text, 8)
  if (Number.isNaN(value) || value < 0) throw new BadArchive('it is no tar archive')
  return value
}

function checkSum(header: Buffer): void {
  const said = numberIn(header, 148, 8)
  const spaces = 8 * 0x20
  const rest = header.subarray(148, 156).reduce((sum, byte) => sum + byte, 0)
  const sum = header.reduce((total, byte) => total + byte, 0) - rest + spaces
  if (sum !== said) throw new BadArchive('it is no tar archive')
}

/** `30 path=a/b/c\n`, one record after another. */
function paxPath(content: Buffer): string | undefined {
  let path: string | undefined
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(0x20, at)
    const length = Number.parseInt(content.toString('latin1', at, space), 10)
    if (space === -1 || !(length > 0)) throw new BadArchive('a name in it can not be read')
    const record = content.toString('utf8', space + 1, at + length - 1)
    if (record.startsWith('path=')) path = record.slice('path='.length)
    at += length
  }
  return path
}

function readerOf(bytes: AsyncIterable<Uint8Array>) {
  const parts = bytes[Symbol.asyncIterator]()
  let [kept, at] = [Buffer.alloc(0), 0]
  return {
    /** Undefined: fewer bytes than that are left. */
    async take(count: number): Promise<Buffer | undefined> {
      if (kept.length - at < count) {
        const more = [kept.subarray(at)]
        let there = kept.length - at
        while (there < count) {
          const next = await parts.next()
          if (next.done === true) return undefined
          more.push(Buffer.from(next.value))
          there += next.value.length
        }
        ;[kept, at] = [Buffer.concat(more), 0]
      }
      at += count
      return kept.subarray(at - count, at)
    },
  }
}
