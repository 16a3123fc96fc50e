/** Plain tables: a heading, rows, columns as wide as their widest cell. */

export function columns(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const all = [heading, ...rows]
  const widths = heading.map((_, index) =>
    all.reduce((widest, row) => Math.max(widest, (row[index] ?? '').length), 0),
  )
  return all.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index]! + 3))
      .join('')
      .trimEnd(),
  )
}
