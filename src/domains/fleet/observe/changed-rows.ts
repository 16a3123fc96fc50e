/** Rows may change between a render and the run that follows it: of those nothing is done, and the next run knows better. Pure. */
import { reservedCluster } from '#model/clusters.ts'
import { canonical, isRecord, type Json } from '#model/json.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import type { Observation, Observed, Resource } from '#model/resource.ts'
import { stateIn } from '../live-state.ts'
import { shapeOf } from '../cluster-spec.ts'
import type { FleetContext } from '../fleet-context.ts'

const changed: Observed = {
  kind: 'unknown',
  why: 'its row was changed meanwhile: the next run follows it',
}

/** What was seen, held against the rows as they are by now. */
export function heldAgainstRows(
  world: Observation,
  wanted: readonly Resource[],
  fleet: Pick<FleetContext, 'declared' | 'settings'>,
): Observation {
  const clusters = wanted.filter(({ ref }) => kindOf(ref) === 'cluster')
  const rendered = new Set(clusters.map(({ ref }) => nameOf(ref)))
  const others = new Set(
    fleet.declared.rows
      .map(({ name }) => name)
      .filter((name) => !rendered.has(name) && name !== reservedCluster),
  )
  const isWanted = new Set(wanted.map(({ ref }) => ref))
  const seen = new Map<Ref, Observed>()
  for (const [ref, one] of world) {
    // a row that this render does not know has registrations of its own, which are no orphans
    if (isWanted.has(ref) || !others.has(nameOf(ref))) seen.set(ref, one)
  }
  for (const cluster of clusters) if (!isAsRendered(cluster, fleet)) seen.set(cluster.ref, changed)
  return seen
}

function isAsRendered(
  { ref, spec, problems }: Resource,
  { declared, settings }: Pick<FleetContext, 'declared' | 'settings'>,
): boolean {
  const row = declared.rows.find(({ name }) => name === nameOf(ref))
  const isPresent = stateIn(spec) === 'present'
  if (problems.length > 0) return true
  if (row === undefined) return !isPresent
  if (!isPresent) return row.desired !== 'present'
  const plain: Json = JSON.parse(JSON.stringify(spec))
  const { state: _, ...shape } = isRecord<Json>(plain) ? plain : {}
  const now = shapeOf(row, settings, declared.notes.get(row.name))
  return row.desired === 'present' && canonical(shape) === canonical(now)
}
