/** Parses an answer however long it is: in pieces, so that requests are answered meanwhile. */
import { isList as isListOf, type Json } from '#model/json.ts'
import { recordOf } from '#model/read-json.ts'
import { yieldToEventLoop } from '#model/yield-to-event-loop.ts'

/** Bytes that are parsed at once: about a millisecond. */
export const pieceLength = 128 * 1024

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [listBegin, listEnd, recordBegin, recordEnd] = [0x5b, 0x5d, 0x7b, 0x7d]

type Pause = () => Promise<void>

/** What JSON.parse gives. Whoever puts labels on a container decides how long each list of its engine is. */
export async function parsedInTurns(bytes: Buffer): Promise<Json> {
  return bytes.length <= pieceLength ? whole(bytes) : parsed(trimmed(bytes), yieldToEventLoop())
}

async function parsed(bytes: Buffer, pause: Pause): Promise<Json> {
  const isList = bytes[0] === listBegin
  await pause()
  // one long text has no parts, and is read fast
  if (bytes.length <= pieceLength || !(isList || bytes[0] === recordBegin)) return whole(bytes)
  const items: Json[] = []
  const entries: [string, Json][] = []
  for await (const part of piecesIn(bytes, pause)) {
    if (part.length > pieceLength) {
      if (isList) items.push(await parsed(trimmed(part), pause))
      else entries.push(await parsedEntry(part, pause))
      continue
    }
    const piece = whole(Buffer.concat([bytes.subarray(0, 1), part, bytes.subarray(-1)]))
    await pause()
    if (isListOf<Json>(piece)) items.push(...piece)
    else entries.push(...Object.entries(recordOf(piece)))
  }
  return isList ? items : Object.fromEntries(entries)
}

/** One that is too long to be read at once: its name, and its value in turns. */
async function parsedEntry(entry: Buffer, pause: Pause): Promise<[string, Json]> {
  const text = trimmed(entry)
  const nameEnd = endOfText(text, 0) + 1
  const name = whole(text.subarray(0, nameEnd))
  if (typeof name !== 'string') throw new SyntaxError('a field without a name')
  return [name, await parsed(trimmed(text.subarray(text.indexOf(colon, nameEnd) + 1)), pause)]
}

/** The entries of a list or a record without the commas between them: many short ones at a time, each long one alone. */
async function* piecesIn(bytes: Buffer, pause: Pause): AsyncIterable<Buffer> {
  const end = bytes.length - 1
  let depth = 0
  let [pieceStart, entryStart, pausedAt] = [1, 1, 0]
  for (let at = 1; at <= end; at += 1) {
    const byte = bytes[at]
    if (byte === quote) at = endOfText(bytes, at)
    else if (byte === listBegin || byte === recordBegin) depth += 1
    else if (at === end || (byte === comma && depth === 0)) {
      const isLong = at - entryStart > pieceLength
      if (entryStart > pieceStart && (isLong || at - pieceStart > pieceLength)) {
        yield bytes.subarray(pieceStart, entryStart - 1)
        pieceStart = entryStart
      }
      if (isLong || at === end) {
        yield bytes.subarray(pieceStart, at)
        pieceStart = at + 1
      }
      entryStart = at + 1
    } else if (byte === listEnd || byte === recordEnd) depth -= 1
    if (at - pausedAt > pieceLength) {
      await pause()
      pausedAt = at
    }
  }
}

/** The quote that ends the text which begins here. */
function endOfText(bytes: Buffer, begin: number): number {
  const near = Math.min(bytes.length, begin + 64)
  for (let at = begin + 1; at < near; at += 1) {
    if (bytes[at] === quote) return at
    if (bytes[at] === backslash) at += 1
  }
  // a long one is searched for its end by the machine's own means
  let at = begin
  do {
    at = bytes.indexOf(quote, at + 1)
    if (at < 0) throw new SyntaxError('a text without an end')
  } while (isEscaped(bytes, at))
  return at
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let slashes = 0
  while (bytes[at - 1 - slashes] === backslash) slashes += 1
  return slashes % 2 === 1
}

/** Without the spaces around it. */
function trimmed(bytes: Buffer): Buffer {
  let [from, to] = [0, bytes.length]
  while (from < to && isSpace(bytes[from])) from += 1
  while (to > from && isSpace(bytes[to - 1])) to -= 1
  return bytes.subarray(from, to)
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}

function whole(bytes: Buffer): Json {
  const value: Json = JSON.parse(bytes.toString('utf8'))
  return value
}
