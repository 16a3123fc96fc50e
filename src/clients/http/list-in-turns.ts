/** Parses a list while it comes, some entries at a time: a long one is never held as a whole, which alone would take long. */
import { isList, type Json } from '#model/json.ts'
import { parsedInTurns, pieceLength } from './json-in-turns.ts'

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [listBegin, listEnd, recordBegin, recordEnd] = [0x5b, 0x5d, 0x7b, 0x7d]

export type ListReader = {
  /** The first part begins with the bracket of the list. What follows the list is not looked at. */
  read(part: Uint8Array): Promise<void>
  items(): Json
}

export function isListBegin(part: Uint8Array): boolean {
  return part[0] === listBegin
}

export function listReader(): ListReader {
  const items: Json[] = []
  let depth = 0
  let [isText, isOver] = [false, false]
  /** Letters at the beginning of the next part that are passed over: what follows a backslash. */
  let skipped = 0
  /** Of entries that were not parsed yet. */
  let begun: Uint8Array[] = []
  let length = 0

  async function parse(last: Uint8Array): Promise<void> {
    const piece = Buffer.concat([brackets.subarray(0, 1), ...begun, last, brackets.subarray(1)])
    const entries = await parsedInTurns(piece)
    if (isList<Json>(entries)) for (const entry of entries) items.push(entry)
    begun = []
    length = 0
  }

  return {
    async read(part) {
      let [from, at] = [0, skipped]
      skipped = 0
      while (at < part.length && !isOver) {
        if (isText) {
          const end = textEnd(part, at)
          isText = end.isOpen
          at = end.at
          continue
        }
        const byte = part[at]
        if (byte === quote) isText = true
        else if (byte === listBegin || byte === recordBegin) {
          if (depth === 0) from = at + 1
          depth += 1
        } else if (byte === listEnd || byte === recordEnd) {
          depth -= 1
          isOver = depth === 0
        }
        const isLong = byte === comma && depth === 1 && length + at - from > pieceLength
        if (isOver || isLong) {
          await parse(part.subarray(from, at))
          from = at + 1
        }
        at += 1
      }
      skipped = Math.max(0, at - part.length)
      if (isOver) return
      begun.push(part.subarray(from))
      length += part.length - from
    },
    items() {
      if (!isOver) throw new Error('the list has no end')
      return items
    },
  }
}

/** Where it goes on behind a text, or behind this part, in which the text does not end. */
function textEnd(
  part: Uint8Array,
  begin: number,
): { readonly at: number; readonly isOpen: boolean } {
  const near = Math.min(part.length, begin + 64)
  let at = begin
  while (at < near) {
    if (part[at] === quote) return { at: at + 1, isOpen: false }
    at += part[at] === backslash ? 2 : 1
  }
  // a long one is searched by the machine's own means
  let slash = -1
  while (at < part.length) {
    const end = part.indexOf(quote, at)
    const limit = end < 0 ? part.length : end
    if (slash < at && slash !== Infinity) slash = nextSlash(part, at)
    if (slash > limit) return { at: Math.min(limit + 1, part.length), isOpen: end < 0 }
    at = slash + 2
  }
  return { at, isOpen: true }
}

function nextSlash(part: Uint8Array, from: number): number {
  const found = part.indexOf(backslash, from)
  return found < 0 ? Infinity : found
}

const brackets = Buffer.from('[]')
