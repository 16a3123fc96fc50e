/** "Did you mean …?": the known word nearest to a mistyped one. */
import { defined } from '#model/defined.ts'

/** At most two slips for short words and three for long ones: a worse guess only misleads. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  if (word.length > 64) return undefined
  let best: string | undefined
  let least = word.length > 8 ? 4 : word.length > 3 ? 3 : 2
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    const slips = distance(word.toLowerCase(), candidate.toLowerCase())
    if (slips >= least) continue
    least = slips
    best = candidate
  }
  return best === undefined ? undefined : `did you mean "${best}"?`
}

function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = defined(previous[j - 1]) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(change, defined(previous[j]) + 1, defined(row[j - 1]) + 1))
    }
    previous = row
  }
  return defined(previous[b.length])
}
