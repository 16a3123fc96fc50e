/** From offsets in a text to lines and columns. */
import { defined } from '#model/defined.ts'

/** Line and column from 1, and the offset itself. */
export type Position = { readonly line: number; readonly column: number; readonly offset: number }

export type Placing = (offset: number) => Position

/** An offset behind the end counts as the end. The lines are counted once, when the first place is asked for. */
export function placing(text: string): Placing {
  let starts: readonly number[] | undefined
  return (offset) => {
    starts ??= startsOf(text)
    const at = Math.min(offset, text.length)
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (defined(starts[middle]) <= at) low = middle + 1
      else high = middle
    }
    return { line: low, column: at - defined(starts[low - 1]) + 1, offset: at }
  }
}

function startsOf(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
