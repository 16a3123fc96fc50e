/** Leads from a place in a rendered text back to the place in the file that a person wrote. */
import type { Piece } from '#formats/template/render.ts'
import type { Position } from '#formats/yaml/read-yaml.ts'
import type { Place } from '#model/problem.ts'

/**
 * Literal text leads to exactly where it stands; what an action printed leads to that action, and so does every line
 * that an `include` brought in. A `template` leads into the file that defines it.
 */
export function sourcePlaces(
  text: string,
  pieces: readonly Piece[],
  sources: ReadonlyMap<string, string>,
): (position: Position) => Place {
  const starts: number[] = []
  let length = 0
  for (const piece of pieces) {
    starts.push(length)
    length += piece.length
  }
  return (position) => {
    const offset = Buffer.byteLength(text.slice(0, offsetOf(text, position)))
    const index = lastNotAfter(starts, offset)
    const piece = pieces[index]
    const source = piece === undefined ? undefined : sources.get(piece.file)
    if (piece === undefined || source === undefined) return { file: 'templates', ...position }
    const bytes = Buffer.from(source)
    const at = piece.isLiteral
      ? piece.offset + offset - starts[index]!
      : Math.max(bytes.lastIndexOf('{{', piece.offset), 0)
    return { file: piece.file, ...positionOf(bytes.subarray(0, at).toString('utf8')) }
  }
}

/** Where an action printed Go's words for nothing, which no one ever wants in a manifest. */
export function emptyValues(text: string, pieces: readonly Piece[]): readonly Position[] {
  if (!text.includes('<no value>')) return []
  const bytes = Buffer.from(text)
  let start = 0
  return pieces.flatMap(({ length, isLiteral }) => {
    const end = start + length
    const isEmpty = !isLiteral && bytes.subarray(start, end).includes('<no value>')
    const position = positionOf(bytes.subarray(0, start).toString('utf8'))
    start = end
    return isEmpty ? [position] : []
  })
}

function offsetOf(text: string, { line, column }: Position): number {
  let start = 0
  for (let left = line; left > 1; left--) {
    const end = text.indexOf('\n', start)
    if (end === -1) break
    start = end + 1
  }
  return Math.min(start + column - 1, text.length)
}

/** The index of the last start that does not lie behind the offset. Empty pieces share a start: the last one wins. */
function lastNotAfter(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}

function positionOf(before: string): Position {
  const lines = before.split('\n')
  return { line: lines.length, column: lines[lines.length - 1]!.length + 1 }
}
