/** How many faults of each sort were tried, and after how many of them everything was as declared: told at the end of a file. */
import { after } from 'node:test'

export type Tally = {
  tried(sort: string): void
  /** Everything is as it was declared after it. */
  converged(sort: string): void
}

/** `npm run test:faults` adds up the lines that begin so. */
export const tallyWord = 'faults tried:'

export function tallyOf(where: string): Tally {
  const counts = new Map<string, { tried: number; converged: number }>()
  function countOf(sort: string): { tried: number; converged: number } {
    const count = counts.get(sort) ?? { tried: 0, converged: 0 }
    counts.set(sort, count)
    return count
  }
  after(() => {
    for (const [sort, { tried, converged }] of counts) {
      console.log(`${tallyWord} ${where}, ${sort}: ${tried}, converged: ${converged}`)
    }
  })
  return {
    tried: (sort) => void (countOf(sort).tried += 1),
    converged: (sort) => void (countOf(sort).converged += 1),
  }
}
