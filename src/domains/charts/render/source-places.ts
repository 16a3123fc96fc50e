/** Leads from a place in a rendered text back to the place in the file that a person wrote. */
import type { Piece } from '#formats/template/render.ts'
import { placing, type Position } from '#formats/yaml/placing.ts'
import type { Place } from '#model/problem.ts'
import { defined } from '#model/defined.ts'

/**
 * Literal text leads to exactly where it stands; what an action printed leads to that action, and so does every line
 * that an `include` brought in. A `template` leads into the file that defines it.
 */
export function sourcePlaces(
  text: string,
  pieces: readonly Piece[],
  sources: ReadonlyMap<string, Source & { readonly path: string }>,
): (position: Position) => Place {
  const isPlain = Buffer.byteLength(text) === text.length
  const starts: number[] = []
  let length = 0
  for (const piece of pieces) {
    starts.push(length)
    length += piece.length
  }
  return (position) => {
    const offset = isPlain ? position.offset : Buffer.byteLength(text.slice(0, position.offset))
    const index = lastNotAfter(starts, offset)
    const piece = pieces[index]
    const source = piece === undefined ? undefined : sources.get(piece.file)
    if (piece === undefined || source === undefined)
      return { file: 'templates', line: 1, column: 1 }
    const { line, column } = piece.isLiteral
      ? source.placeOf(piece.offset + offset - defined(starts[index]))
      : source.actionAt(piece.offset)
    return { file: source.path, line, column }
  }
}

/** A template as it was written, asked by offsets in bytes. */
export type Source = { placeOf(offset: number): Position; actionAt(offset: number): Position }

export function sourceOf(text: string): Source {
  const bytes = Buffer.from(text)
  const place = placing(text)
  const isPlain = bytes.length === text.length
  function placeOf(offset: number): Position {
    return place(isPlain ? offset : bytes.subarray(0, offset).toString('utf8').length)
  }
  return {
    placeOf,
    actionAt: (offset) => placeOf(Math.max(bytes.lastIndexOf('{{', offset), 0)),
  }
}

/** Where an action printed Go's words for nothing, which no one ever wants in a manifest. */
export function emptyValues(text: string, pieces: readonly Piece[]): readonly Position[] {
  if (!text.includes('<no value>')) return []
  const bytes = Buffer.from(text)
  const place = placing(text)
  let start = 0
  return pieces.flatMap(({ length, isLiteral }) => {
    const [from, to] = [start, start + length]
    start = to
    if (isLiteral || !bytes.subarray(from, to).includes('<no value>')) return []
    return [place(bytes.subarray(0, from).toString('utf8').length)]
  })
}

/** The index of the last start that does not lie behind the offset. Empty pieces share a start: the last one wins. */
function lastNotAfter(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (defined(starts[middle]) <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}
