/** What is there of a fleet: clusters, registrations and rows, each present, absent or unknown. */
import { hashOf, type Json } from '#model/json.ts'
import { problemOf } from '#model/problem.ts'
import { kindOf, nameOf, refOf, type Ref } from '#model/ref.ts'
import type { Need, Observation, Observed, Present, Resource } from '#model/resource.ts'
import { reservedCluster, type ClusterRow } from '#model/clusters.ts'
import type { Value } from '#model/value.ts'
import type { Registration } from '../registrations/registration.ts'
import { strangerWords } from './cluster-identity.ts'
import { stateIn } from '../live-state.ts'
import { refuseMassPrune } from './prune-guard.ts'
import { registrationsIn, present } from '../render/render.ts'
import { outputsOf, recordedShape, shapeOf } from '../cluster-spec.ts'
import { observeClusters, type ClusterObservation, type ClusterObservations } from './clusters.ts'
import type { FleetContext } from '../fleet-context.ts'
import { defined } from '#model/defined.ts'

const gone = { state: 'absent' }

export async function observe(
  context: FleetContext,
  wanted: readonly Resource[],
  signal: AbortSignal,
): Promise<Observation> {
  const { mode } = context.options
  const isAsked = (row: ClusterRow): boolean => mode === 'reconcile' && row.desired === 'present'
  const [observations, ...lists] = await Promise.all([
    observeClusters(context, isAsked, signal),
    ...registrationsIn(context).map((registration) => listed(registration, context, signal)),
  ])
  context.memory.observations = observations
  if (mode === 'prune') refuseMassPrune(context, observations)
  const byName = new Map(context.declared.rows.map((row) => [row.name, row]))
  const world = new Map<Ref, Observed>()
  for (const list of lists) for (const [ref, seen] of list.found) world.set(ref, seen)
  const blind = new Map(lists.flatMap(({ kind, why }) => (why === undefined ? [] : [[kind, why]])))
  for (const resource of wanted) {
    const { ref } = resource
    const row = byName.get(nameOf(ref))
    const kind = kindOf(ref)
    if (kind === 'cluster' && row !== undefined) {
      world.set(ref, clusterSeen(resource, row, observations.get(row.name), context))
    } else if (kind === 'cluster' && stateIn(resource.spec) === 'absent') {
      // one that has no row any more is gone, and there is nowhere to note it
      world.set(ref, tombstone({ isMarked: true }))
    } else if (kind === 'row' && row !== undefined) {
      world.set(ref, rowSeen(row, observations, context))
    } else if (
      mode === 'prune' &&
      row !== undefined &&
      observations.get(row.name)?.kind !== 'absent'
    ) {
      // its cluster is there, or nobody knows: nothing of it goes
      world.set(ref, tombstone())
    } else if (blind.has(kind)) {
      world.set(ref, { kind: 'unknown', why: defined(blind.get(kind)) })
    } else if (!world.has(ref)) {
      world.set(ref, stateIn(resource.spec) === 'absent' ? tombstone() : { kind: 'absent' })
    }
  }
  return world
}

type RegistrationList = {
  readonly kind: string
  readonly found: ReadonlyMap<Ref, Observed>
  readonly why: string | undefined
}

async function listed(
  registration: Registration,
  context: FleetContext,
  signal: AbortSignal,
): Promise<RegistrationList> {
  const { kind } = registration
  const names = new Set(context.declared.rows.map(({ name }) => name))
  const hasRows = context.declared.rows.some(({ name }) => name !== reservedCluster)
  const hasShared = context.options.mode === 'reconcile' && hasRows
  try {
    const list = await registration.list(names, signal)
    const found = new Map<Ref, Observed>()
    for (const [name, { spec, drift }] of list) {
      if (registration.shared?.has(name) === true && !hasShared) continue
      found.set(refOf(kind, name), presentAs(present(spec), drift ?? null, {}))
    }
    return { kind, found, why: undefined }
  } catch (thrown) {
    signal.throwIfAborted()
    return { kind, found: new Map(), why: problemOf(thrown).message }
  }
}

/** Nothing is there, and that is what is wanted. */
function tombstone(live: Json = null): Observed {
  return presentAs(gone, live, {})
}

function presentAs(
  spec: Value,
  live: Json,
  outputs: Readonly<Record<string, Json>>,
  needs: readonly Need[] = [],
): Present {
  const plain: Json = JSON.parse(JSON.stringify(spec))
  const recorded = { hash: hashOf(plain), spec: plain, needs }
  return { kind: 'present', recorded, outputs, live, spares: [] }
}

function clusterSeen(
  { spec }: Resource,
  row: ClusterRow,
  observation: ClusterObservation | undefined,
  context: FleetContext,
): Observed {
  if (observation === undefined) return { kind: 'unknown', why: 'it was not looked at' }
  if (observation.kind === 'unknown') return observation
  const isLeaving = stateIn(spec) === 'absent'
  if (observation.kind === 'absent') {
    if (!isLeaving) return observation
    const isGoing = row.desired === 'absent' && row.actual === 'deleting'
    return tombstone({ health: 'absent', isMarked: row.actual === 'absent' || isGoing })
  }
  const note = context.declared.notes.get(row.name)
  const made = note?.made
  const isStranger = observation.identified === 'stranger'
  if (isLeaving && isStranger) return leftToOthers(row)
  const isUncertain = observation.identified === 'unknown' && made !== undefined
  if (isLeaving && isUncertain) return { kind: 'unknown', why: uncertain(row.name) }
  const isOurs = (made !== undefined && made.phase !== 'found') || context.options.isAll
  // what nobody noted to have made stays when all is cleaned, and so does what others run
  const stays = !isOurs || observation.provider === 'existing'
  if (context.options.mode === 'clean' && stays) return tombstone({ isMarked: true })
  if (!isLeaving && observation.provider === 'existing' && observation.health !== 'ready') {
    return { kind: 'unknown', why: `${observation.why} (others run it: see to it where they do)` }
  }
  const isMarked = row.actual === 'running' && row.status === 'Ready' && row.reconcileError === null
  const { health, why } = observation
  const { missingPart } = observation
  const stranger = isStranger ? strangerWords(row.name, observation.provider) : ''
  const isUnidentified = observation.identity !== undefined && made?.identity === undefined
  const about = { stranger, missingPart, isUnidentified }
  const live = { health, why, phase: made?.phase ?? '', isMarked, ...about }
  const wanted = shapeOf(row, context.settings, note)
  const recorded: Json = { state: 'present', ...recordedShape(wanted, made, observation.facts) }
  const kubeconfig = isLeaving ? undefined : context.kubeconfigs.read(row.name)
  const outputs = outputsOf(
    row,
    context.settings,
    observation.serverIp,
    kubeconfig,
    observation.facts,
  )
  return presentAs(recorded, live, outputs)
}

/** Ours is gone, and what stands under its name is somebody else's: it stays, whatever is said of the row. */
function leftToOthers(row: ClusterRow): Observed {
  // while its row says present, what was noted of ours is what tells theirs from it
  const isMarked = row.desired !== 'absent' || ['absent', 'deleting'].includes(row.actual)
  const notes = [`${strangerWords(row.name, row.provider)}: it is left as it is`]
  return { ...presentAs(gone, { isMarked }, {}), notes }
}

function uncertain(name: string): string {
  return `nobody can say whether ${name} is the cluster that Tend made: its engine tells nothing of its nodes`
}

/** `goes`: what is certainly missing may go, and the row of one that this run deletes, or that an earlier one began to. */
function rowSeen(
  row: ClusterRow,
  observations: ClusterObservations,
  { options }: FleetContext,
): Observed {
  const observation = observations.get(row.name)
  if (observation === undefined || observation.kind === 'unknown') {
    return { kind: 'unknown', why: observation?.why ?? 'its cluster was not looked at' }
  }
  const isMissing = observation.kind === 'absent'
  const goes =
    options.mode === 'prune'
      ? isMissing
      : options.prunesAbsent || !isMissing || row.actual === 'deleting'
  return presentAs({ state: 'present' }, { goes }, {})
}
