/** Guesses what somebody meant who typed something else. */
import { defined } from '#model/defined.ts'

/** The candidate that takes the fewest slips (a letter more, less, other, or two swapped), if few enough. */
export function closest(typed: string, candidates: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(typed.length / 3))
  let best: string | undefined
  let fewest = most + 1
  for (const candidate of candidates) {
    const slips = distance(typed.toLowerCase(), candidate.toLowerCase())
    if (slips < fewest) [best, fewest] = [candidate, slips]
  }
  if (best !== undefined || typed.length < 3) return best
  const beginnings = candidates.filter((candidate) => candidate.startsWith(typed))
  return beginnings.length === 1 ? beginnings[0] : undefined
}

function distance(left: string, right: string): number {
  let before: number[] = []
  let above = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1]
      const isSwap = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      row[j] = Math.min(
        defined(above[j]) + 1,
        defined(row[j - 1]) + 1,
        defined(above[j - 1]) + (isSame ? 0 : 1),
        isSwap ? defined(before[j - 2]) + 1 : Infinity,
      )
    }
    ;[before, above] = [above, row]
  }
  return defined(above[right.length])
}
