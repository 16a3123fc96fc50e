/** What a person may have meant: the nearest known word. */
import { defined } from '#model/defined.ts'

/** Undefined when nothing is near enough to be worth saying. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined
  for (const name of known) {
    const distance = distanceOf(word.toLowerCase(), name.toLowerCase())
    if (best === undefined || distance < best.distance) best = { name, distance }
  }
  if (best === undefined) return undefined
  return best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.name : undefined
}

export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const name = nearest(word, known)
  return name === undefined ? undefined : `did you mean ${name}?`
}

/** Insertions, deletions, replacements, and swaps of neighbours, each counted as one. */
function distanceOf(left: string, right: string): number {
  let [before, last] = [[0], Array.from({ length: right.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwapped =
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1]
      current[column] = Math.min(
        defined(last[column]) + 1,
        defined(current[column - 1]) + 1,
        defined(last[column - 1]) + (isSame ? 0 : 1),
        isSwapped ? defined(before[column - 2]) + 1 : Infinity,
      )
    }
    before = last
    last = current
  }
  return defined(last[right.length])
}
