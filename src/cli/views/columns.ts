/** Plain tables: a heading, rows, columns as wide as their widest cell. */
import { stripVTControlCharacters } from 'node:util'

export function columns(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const all = [heading, ...rows]
  const widths = heading.map((_, index) =>
    all.reduce((widest, row) => Math.max(widest, widthOf(row[index] ?? '')), 0),
  )
  return all.map((row) =>
    row
      // a row may end with words that have no heading
      .map(
        (cell, index) => cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) + 3 - widthOf(cell))),
      )
      .join('')
      .trimEnd(),
  )
}

/** The width without colours, which take no room. */
function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length
}
