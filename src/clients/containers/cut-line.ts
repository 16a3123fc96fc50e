/** Cuts the lines that containers write: none is longer than anybody reads. */

/** A container can write without ever ending a line: of each line only so many characters are kept. */
const longestLine = 64 * 1024

/** Adds to a line, in time that does not grow with what was left out. */
export function cutLine(before: string, more: string): string {
  return before + more.slice(0, longestLine - before.length)
}
