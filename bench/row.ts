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

export type Contestant = {
  run(): unknown
  /** Fewer rounds than the others: for a peer that takes minutes. */
  readonly rounds?: number
  /** Before each run, not measured. */
  before?(): Promise<unknown>
}

/** Medians in milliseconds. All take turns in each round, so that what disturbs one disturbs all. */
export async function contest<Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  rounds: number,
): Promise<Readonly<Record<Name, number>>> {
  const entries: [Name, Contestant, number[]][] = []
  for (const name in contestants) entries.push([name, contestants[name], []])
  for (let round = 0; round < rounds; round += 1) {
    for (const [, contestant, times] of entries) {
      if (round >= (contestant.rounds ?? rounds)) continue
      await contestant.before?.()
      const began = performance.now()
      await contestant.run()
      times.push(performance.now() - began)
    }
  }
  const result: Partial<Record<Name, number>> = {}
  for (const [name, , times] of entries) result[name] = median(times)
  return whole(
    result,
    entries.map(([name]) => name),
  )
}

function whole<Name extends string>(
  result: Partial<Record<Name, number>>,
  names: readonly Name[],
): Readonly<Record<Name, number>> {
  if (!isWhole(result, names)) throw new TypeError('not every contestant has run')
  return result
}

function isWhole<Name extends string>(
  result: Partial<Record<Name, number>>,
  names: readonly Name[],
): result is Record<Name, number> {
  return names.every((name) => result[name] !== undefined)
}

export function median(list: readonly number[]): number {
  const sorted = list.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export function milliseconds(value: number): string {
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`
  return value < 10 ? `${value.toFixed(2)} ms` : `${Math.round(value)} ms`
}
