/** What a benchmark says: a ratio to a peer or to the bare work, measured in the same run, and whether its goal holds. */

export type Row = {
  readonly name: string
  /** The ratio. */
  readonly measured: number
  readonly goal: { readonly is: 'at most' | 'at least'; readonly than: number }
  /** The figures behind it, for a person. */
  readonly behind: string
}

export function holds({ measured, goal }: Row): boolean {
  return goal.is === 'at most' ? measured <= goal.than : measured >= goal.than
}

export type Contest = Readonly<Record<string, () => Promise<void> | void>>

/** Medians in milliseconds. All take turns in each round, so that what disturbs one disturbs all. */
export async function contest<Names extends Contest>(
  contestants: Names,
  rounds: number,
): Promise<{ readonly [Name in keyof Names]: number }> {
  const times: Record<string, number[]> = {}
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(contestants)) {
      const began = performance.now()
      await work()
      times[name] ??= []
      times[name].push(performance.now() - began)
    }
  }
  const medians: Record<string, number> = {}
  for (const [name, list] of Object.entries(times)) medians[name] = median(list)
  return Object.assign(Object.create(null), medians)
}

export function median(list: readonly number[]): number {
  const sorted = list.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export function milliseconds(value: number): string {
  return value < 10 ? `${value.toFixed(2)} ms` : `${Math.round(value)} ms`
}
