/** Where a value was written: a file's text and an offset in it, turned into line and column only when somebody asks. */
import { placing, type Placing } from '#formats/yaml/placing.ts'

export type Source = {
  readonly file: string
  readonly text: string
  readonly placeOf: Placing
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
  return { file, text, placeOf: placing(text) }
}

/** The key's position where there is one: that is the line a person looks for. */
export function positionAt({ source, key, offset }: SourceLocation): Position {
  const { line, column } = source.placeOf(key >= 0 ? key : offset)
  return { file: source.file, line, column }
}
