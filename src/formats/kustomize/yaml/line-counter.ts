/** The lines that offsets of a text are in, quickest where each asked for stands near the one before. */

/** `before` is how many lines stand above the text; its first line is one more. */
export function lineCounter(text: string, before: number): (offset: number) => number {
  let line = before + 1
  let start = 0
  let end = text.indexOf('\n')
  return (offset) => {
    while (offset < start) {
      line--
      end = start - 1
      start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1
    }
    while (end !== -1 && end < offset) {
      line++
      start = end + 1
      end = text.indexOf('\n', start)
    }
    return line
  }
}
