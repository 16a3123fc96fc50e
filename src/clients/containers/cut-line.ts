/** Lines of what containers write, none of them longer than anybody reads. */

/** A container can write without ever ending a line: what is beyond this many characters of one is left out. */
const longestLine = 64 * 1024

/** A line that goes on, in time that does not grow with what was left out. */
export function cutLine(before: string, more: string): string {
  return before + more.slice(0, longestLine - before.length)
}
