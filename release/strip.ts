/**
 * `node release/strip.ts FROM TO`, and for the release.
 *
 * Leaves out of a Linux executable what only debuggers read: the names of its functions and the lines of its source. What is
 * loaded and run stays byte for byte at its place: after the first 64 bytes, the header of the file, nothing differs up to the end of it.
 */
import { readFileSync, writeFileSync } from 'node:fs'

/** A program for a processor of 64 bits, least byte first: x64 and arm64 are. */
const magic = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1])
const isLoaded = 2n
/** Of sections that have a place in memory and none in the file. */
const withoutContent = 8

type Section = {
  readonly header: Buffer
  readonly type: number
  readonly isLoaded: boolean
  readonly offset: number
  readonly size: number
}

export type Stripped = {
  readonly program: Buffer
  /** So many bytes at the beginning are those of the original, but for the header. */
  readonly kept: number
}

/** A copy of what certainly is such a program. */
export function programOf(bytes: Buffer): Buffer {
  if (bytes.subarray(0, magic.length).equals(magic)) return Buffer.from(bytes)
  throw new Error('this is no Linux program for x64 or arm64')
}

export function strip(bytes: Buffer): Stripped {
  const program = programOf(bytes)
  const sections = sectionsOf(program)
  const names = sections[program.readUInt16LE(62)]
  const count = sections.findLastIndex((one) => one.isLoaded) + 1
  const first = sections.slice(0, count)
  // sections name each other by number, so that only what comes after the last loaded one can be left out
  if (names === undefined || first.slice(1).some((one) => !one.isLoaded)) {
    throw new Error('sections of this program that are loaded stand behind others that are not')
  }
  const kept = Math.max(...first.map((one) => (hasContent(one) ? one.offset + one.size : 0)))
  const start = padded(program.subarray(0, kept))
  const text = padded(program.subarray(names.offset, names.offset + names.size))
  const nameHeader = Buffer.from(names.header)
  nameHeader.writeBigUInt64LE(BigInt(start.length), 24)
  start.writeBigUInt64LE(BigInt(start.length + text.length), 40)
  start.writeUInt16LE(count + 1, 60)
  start.writeUInt16LE(count, 62)
  const headers = [...first.map((one) => one.header), nameHeader]
  return { program: Buffer.concat([start, text, ...headers]), kept }
}

function sectionsOf(program: Buffer): readonly Section[] {
  const from = Number(program.readBigUInt64LE(40))
  const [length, count] = [program.readUInt16LE(58), program.readUInt16LE(60)]
  return Array.from({ length: count }, (_, index) => {
    const header = program.subarray(from + index * length, from + (index + 1) * length)
    return {
      header,
      type: header.readUInt32LE(4),
      isLoaded: (header.readBigUInt64LE(8) & isLoaded) !== 0n,
      offset: Number(header.readBigUInt64LE(24)),
      size: Number(header.readBigUInt64LE(32)),
    }
  })
}

function hasContent({ type }: Section): boolean {
  return type !== withoutContent
}

/** A copy that ends at a multiple of eight. */
function padded(bytes: Buffer): Buffer {
  const rest = (8 - (bytes.length % 8)) % 8
  return Buffer.concat([bytes, Buffer.alloc(rest)])
}

if (import.meta.main) {
  const [from = '', to = ''] = process.argv.slice(2)
  writeFileSync(to, strip(readFileSync(from)).program, { mode: 0o755 })
}
