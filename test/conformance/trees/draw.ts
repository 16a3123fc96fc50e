/** Choices from a tape of numbers: nothing left on it means the simplest choice, so that shorter tapes give simpler things. */

export type Draw = {
  /** From 0 to one below. */
  below(count: number): number
  /** True so many times of a hundred; never on an empty tape. */
  chance(percent: number): boolean
  /** The first one is the simplest. */
  pick<Item>(items: readonly Item[]): Item
  /** Some of them, in their order; often none. */
  some<Item>(items: readonly Item[], most: number): Item[]
}

export function drawFrom(tape: readonly number[]): Draw {
  let at = 0
  const next = (): number => tape[at++] ?? 0
  const below = (count: number): number => (count <= 1 ? 0 : next() % count)
  return {
    below,
    chance: (percent) => next() % 100 >= 100 - percent,
    pick: (items) => items[below(items.length)]!,
    some(items, most) {
      const count = below(most + 1)
      const start = below(items.length)
      return Array.from({ length: Math.min(count, items.length) }, (_, i) => {
        return items[(start + i) % items.length]!
      })
    },
  }
}
