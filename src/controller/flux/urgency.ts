/** Whose status is written first when many changed: what people wait for. */
import type { State } from '#model/service.ts'

/** Failures, then ends, then what only goes on. `state`: undefined where the service does not know it. */
export function urgencyOf(state: State | undefined, hasTrouble: boolean): number {
  if (hasTrouble || state === 'failed') return 0
  return state === 'synced' ? 1 : 2
}

/** The first so many; equally urgent ones stay in their order. */
export function mostUrgent(
  names: readonly string[],
  most: number,
  urgency: (name: string) => number,
): readonly string[] {
  if (most <= 0) return []
  if (names.length <= most) return names
  const ranked = names.map((name) => [name, urgency(name)] as const)
  return ranked
    .toSorted(([, one], [, other]) => one - other)
    .slice(0, most)
    .map(([name]) => name)
}
