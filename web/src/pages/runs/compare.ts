/** Two runs side by side: for each resource what each of them did. */
import type { Event } from '#model/event.ts'
import type { Change, Step } from '#model/plan.ts'
import type { Ref } from '#model/ref.ts'
import { waterfallOf, type WaterfallRow } from './waterfall.ts'

export type Side = {
  readonly step: Step
  readonly end: WaterfallRow['end']
  readonly took: number
  readonly changes: readonly Change[]
}

export type ComparedRow = {
  readonly ref: Ref
  readonly first: Side | undefined
  readonly second: Side | undefined
}

/** What both left alone is left out. */
export function compareRuns(
  first: readonly Event[],
  second: readonly Event[],
): readonly ComparedRow[] {
  const [one, two] = [sidesOf(first), sidesOf(second)]
  const refs = [...new Set([...one.keys(), ...two.keys()])].toSorted()
  return refs.map((ref) => ({ ref, first: one.get(ref), second: two.get(ref) }))
}

function sidesOf(events: readonly Event[]): ReadonlyMap<Ref, Side> {
  const planned = events.find((event) => event.type === 'planned')
  const changes = new Map(planned?.plan.groups.map((group) => [group.ref, group.changes]))
  return new Map(
    waterfallOf(events, 0).rows.map(({ ref, step, end, bars }) => {
      const took = bars.reduce((sum, bar) => sum + bar.to - bar.from, 0)
      return [ref, { step, end, took, changes: changes.get(ref) ?? [] }]
    }),
  )
}
