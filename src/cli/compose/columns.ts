/** Columns as Go's tabwriter aligns them, which docker compose prints with: only then do scripts that cut by columns go on working. */

export type Layout = {
  /** The least width of a column, with its padding. */
  readonly least: number
  readonly padding: number
}

export function aligned(rows: readonly (readonly string[])[], layout: Layout): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(layout.least, ...rows.map((row) => widthOf(row[column] ?? '') + layout.padding)),
  )
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)),
      )
      .join(''),
  )
}

/** The width in characters, as the tabwriter counts it. */
function widthOf(text: string): number {
  return Array.from(text).length
}

/** An age in Docker's words, without the last one: `7 seconds ago` is `7 seconds`. */
export function age(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 1) return 'Less than a second'
  if (seconds === 1) return '1 second'
  if (seconds < 60) return `${seconds} seconds`
  const minutes = Math.floor(seconds / 60)
  if (minutes === 1) return 'About a minute'
  if (minutes < 60) return `${minutes} minutes`
  const hours = Math.floor(seconds / 3600 + 0.5)
  if (hours === 1) return 'About an hour'
  if (hours < 48) return `${hours} hours`
  if (hours < 24 * 7 * 2) return `${Math.floor(hours / 24)} days`
  if (hours < 24 * 30 * 2) return `${Math.floor(hours / 24 / 7)} weeks`
  if (hours < 24 * 365 * 2) return `${Math.floor(hours / 24 / 30)} months`
  return `${Math.floor(seconds / 3600 / 24 / 365)} years`
}

/** A size in four digits, as Docker writes it: `1.98MB`. */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let [size, unit] = [bytes, 0]
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  return `${Number(size.toPrecision(3))}${units[unit]}`
}
