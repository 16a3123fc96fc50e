/** Where a value was written: a file's text and an offset in it, turned into line and column only when somebody asks. */
import { defined } from '#model/defined.ts'

export type Source = {
  readonly file: string
  readonly text: string
  /** offset of the first character of each line */
  readonly lines: readonly number[]
}

/** `key` is the offset of the key that the value stands under, or -1 for an item of a list and a whole document. */
export type SourceLocation = {
  readonly source: Source
  readonly offset: number
  readonly key: number
  /** A secret was put into what stands here: no message may quote it. */
  readonly isSecret?: true
}

export type Position = { readonly file: string; readonly line: number; readonly column: number }

export function sourceOf(file: string, text: string): Source {
  const lines = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.push(at + 1)
  return { file, text, lines }
}

/** The key's position where there is one: that is the line a person looks for. */
export function positionAt(place: SourceLocation): Position {
  const offset = place.key >= 0 ? place.key : place.offset
  const { file, lines } = place.source
  let low = 0
  let high = lines.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (defined(lines[middle]) <= offset) low = middle
    else high = middle - 1
  }
  return { file, line: low + 1, column: offset - defined(lines[low]) + 1 }
}
