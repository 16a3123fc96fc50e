/**
 * Makes one executable of a Node and a blob that this Node wrote of a program and its files (`--experimental-sea-config`).
 *
 * Node looks for the blob in the notes that are mapped into its memory, under its name, and only when a mark in its own text says that
 * there is one. So the file gets a segment more behind everything that it has: a new table of segments, because the old one has no room,
 * and the note. Nothing that was there moves.
 */
import { programOf } from './strip.ts'

const mark = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:'
const noteName = Buffer.from('NODE_SEA_BLOB\0\0\0')
const nameLength = 'NODE_SEA_BLOB\0'.length
/** The largest page that a Linux of these machines has: segments begin at one. */
const page = 0x10000
const headerSize = 56
const type = { load: 1, note: 4, table: 6 } as const
const readable = 4

export function embed(node: Buffer, blob: Buffer): Buffer {
  const program = programOf(node)
  const headers = segmentsOf(program)
  const loads = headers.filter((one) => one.readUInt32LE(0) === type.load)
  const [first] = loads
  if (first === undefined) throw new Error('this program has no segment that is loaded')
  // the kernel takes for granted that the table is as far from the first segment in memory as in the file
  const shift = numberAt(first, 16) - numberAt(first, 8)
  const end = Math.max(...loads.map((one) => numberAt(one, 16) + numberAt(one, 40)))
  const offset = Math.ceil(Math.max(program.length, end - shift) / page) * page

  const tableSize = (headers.length + 2) * headerSize
  const note = noteOf(blob)
  const size = tableSize + note.length
  const load = segment(type.load, offset, shift, size, page)
  const noteSegment = segment(type.note, offset + tableSize, shift, note.length, 4)
  const lastLoad = headers.findLastIndex((one) => one.readUInt32LE(0) === type.load)
  const table = [...headers.slice(0, lastLoad + 1), load, ...headers.slice(lastLoad + 1)]
  const moved = table.map((one) =>
    one.readUInt32LE(0) === type.table ? segment(type.table, offset, shift, tableSize, 8) : one,
  )

  const start = Buffer.alloc(offset)
  program.copy(start)
  start.writeBigUInt64LE(BigInt(offset), 32)
  start.writeUInt16LE(headers.length + 2, 56)
  const at = start.indexOf(`${mark}0`)
  if (at < 0 || start.indexOf(`${mark}0`, at + 1) >= 0) {
    throw new Error('this Node does not have the one mark that tells of a program inside')
  }
  start.write('1', at + mark.length)
  return Buffer.concat([start, ...moved, noteSegment, note])
}

function segmentsOf(program: Buffer): readonly Buffer[] {
  const from = Number(program.readBigUInt64LE(32))
  return Array.from({ length: program.readUInt16LE(56) }, (_, index) =>
    program.subarray(from + index * headerSize, from + (index + 1) * headerSize),
  )
}

function numberAt(header: Buffer, offset: number): number {
  return Number(header.readBigUInt64LE(offset))
}

function segment(kind: number, offset: number, shift: number, size: number, align: number): Buffer {
  const header = Buffer.alloc(headerSize)
  header.writeUInt32LE(kind, 0)
  header.writeUInt32LE(readable, 4)
  header.writeBigUInt64LE(BigInt(offset), 8)
  header.writeBigUInt64LE(BigInt(offset + shift), 16)
  header.writeBigUInt64LE(BigInt(offset + shift), 24)
  header.writeBigUInt64LE(BigInt(size), 32)
  header.writeBigUInt64LE(BigInt(size), 40)
  header.writeBigUInt64LE(BigInt(align), 48)
  return header
}

/** Lengths of name and content, a type that nobody reads, and both, each up to a multiple of four. */
function noteOf(blob: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt32LE(nameLength, 0)
  head.writeUInt32LE(blob.length, 4)
  return Buffer.concat([head, noteName, blob, Buffer.alloc((4 - (blob.length % 4)) % 4)])
}
