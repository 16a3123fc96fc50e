/** Rows become resources: a cluster and what it is registered with, each with what it waits for. Pure. */
import { reservedCluster, type ClusterRow } from '#model/clusters.ts'
import type { Rendered } from '#model/domain.ts'
import { hashOf, type Json } from '#model/json.ts'
import type { Place, ProblemFacts } from '#model/problem.ts'
import { refOf, type Ref } from '#model/ref.ts'
import type { Need, Resource } from '#model/resource.ts'
import type { Value } from '#model/value.ts'
import { vaultOf } from '#model/vault.ts'
import type { WantedRegistration } from '../registrations/registration.ts'
import { clashesOf, faultsOf, hostPortsOf, isProvider } from './row-rules.ts'
import { shapeOf } from '../cluster-spec.ts'
import type { FleetContext } from '../fleet-context.ts'

export type RenderInput = Pick<FleetContext, 'settings' | 'declared' | 'options'> & {
  readonly registrations: readonly WantedRegistration[]
  readonly database: string
}

export function renderFleet(input: RenderInput): Rendered {
  const { options, registrations } = input
  const rows = input.declared.rows.filter(({ name }) => name !== reservedCluster)
  const faults = problemsOf(rows, input)
  const resources: Resource[] = []
  if (options.mode === 'prune') {
    for (const row of rows) resources.push(...prunedOf(row, input))
  } else {
    // what all clusters share is declared by the first row: a table without rows declares nothing
    if (options.mode === 'reconcile' && rows.length > 0)
      resources.push(...registrations.flatMap(sharedOf))
    for (const row of rows) resources.push(...resourcesOf(row, rows, input))
  }
  return {
    resources: resources.map((resource) => withProblems(resource, faults)),
    problems: [...faults.values()].flat(),
    warnings: [],
    isIncomplete: false,
    version: hashOf(rows.map(versionOf)).slice(0, 12),
    vault: vaultOf(new Map(), new Uint8Array()),
  }
}

/** What the row declares; how it is said to be is no part of it. */
function versionOf(row: ClusterRow): Json {
  const { name, provider, subnet, nodePort, pfPort, httpPort, httpsPort, desired } = row
  return { name, provider, subnet, nodePort, pfPort, httpPort, httpsPort, desired }
}

/** Whoever is only to go needs no good ports for that. */
function problemsOf(
  rows: readonly ClusterRow[],
  { options, declared, database: file }: RenderInput,
): ReadonlyMap<string, readonly ProblemFacts[]> {
  // whose name can't be has no cluster, and nothing but the row is touched
  const isPruning = options.mode === 'prune'
  const isMade = ({ desired }: ClusterRow): boolean =>
    options.mode === 'reconcile' && desired !== 'absent'
  const reserved = declared.rows.filter(({ name }) => name === reservedCluster)
  const clashes = clashesOf([...rows.filter(isMade), ...reserved])
  const problems = new Map<string, readonly ProblemFacts[]>()
  rows.forEach((row, index) => {
    const faults = [...faultsOf(row), ...(clashes.get(row.name) ?? [])].filter(
      ({ column }) => isMade(row) || column === 'provider' || (column === 'name' && !isPruning),
    )
    if (faults.length === 0) return
    const at: Place = { file, line: index + 1, column: 1 }
    const ref = refOf('cluster', row.name)
    problems.set(
      row.name,
      faults.map(({ message, suggestion }) => {
        return { type: 'validation', code: 'bad_value', message, suggestion, ref, at } as const
      }),
    )
  })
  return problems
}

/** A row that is wrong is left as it is, with everything that hangs on it. */
function withProblems(
  resource: Resource,
  faults: ReadonlyMap<string, readonly ProblemFacts[]>,
): Resource {
  const found = faults.get(resource.ref.slice(resource.ref.indexOf('/') + 1))
  return found === undefined ? resource : { ...resource, problems: found }
}

function resourcesOf(
  row: ClusterRow,
  rows: readonly ClusterRow[],
  input: RenderInput,
): readonly Resource[] {
  const isWanted = row.desired === 'present' && input.options.mode === 'reconcile'
  const cluster = refOf('cluster', row.name)
  if (isWanted) {
    const spec = {
      state: 'present',
      ...shapeOf(row, input.settings, input.declared.notes.get(row.name)),
    }
    const own = resourceOf(cluster, spec, waitsForPorts(row, rows))
    return [
      own,
      ...input.registrations.flatMap((registration) => registrationOf(registration, row)),
    ]
  }
  const gone = { state: 'absent', provider: isProvider(row.provider) ? row.provider : '' }
  const after: Need = { ref: cluster, until: 'exists', renew: false }
  const registrations = registrationsIn(input).map(({ kind }) =>
    resourceOf(refOf(kind, row.name), { state: 'absent' }, [after]),
  )
  const removed = [resourceOf(cluster, gone, []), ...registrations]
  if (input.options.mode === 'clean') return removed
  const last = removed.map(({ ref }): Need => ({ ref, until: 'exists', renew: false }))
  return [...removed, rowResource(row, last, input)]
}

/** What a row whose cluster is missing is registered with goes first, and the row last. */
function prunedOf(row: ClusterRow, input: RenderInput): readonly Resource[] {
  const registrations = registrationsIn(input).map(({ kind }) =>
    resourceOf(refOf(kind, row.name), { state: 'absent' }, []),
  )
  const last = registrations.map(({ ref }): Need => ({ ref, until: 'exists', renew: false }))
  return [...registrations, rowResource(row, last, input)]
}

/** Those that this run is about. */
export function registrationsIn<One extends WantedRegistration>({
  options,
  registrations,
}: Pick<FleetContext, 'options'> & { readonly registrations: readonly One[] }): readonly One[] {
  return options.mode === 'clean'
    ? registrations.filter((one) => one.staysWithRow !== true)
    : registrations
}

/** Who asks for a port of one that is to go waits until it is gone. */
function waitsForPorts(row: ClusterRow, rows: readonly ClusterRow[]): readonly Need[] {
  const ports = new Set(hostPortsOf(row).map(([, port]) => port))
  const leaving = rows.filter((other) => {
    return other.desired === 'absent' && hostPortsOf(other).some(([, port]) => ports.has(port))
  })
  return leaving.map(({ name }) => {
    return { ref: refOf('cluster', name), until: 'exists', renew: false }
  })
}

function registrationOf(registration: WantedRegistration, row: ClusterRow): readonly Resource[] {
  const spec = registration.wanted(row)
  if (spec === undefined) return []
  const shared = [...(registration.shared?.keys() ?? [])].map((name): Need => {
    return { ref: refOf(registration.kind, name), until: 'exists', renew: false }
  })
  return [
    resourceOf(refOf(registration.kind, row.name), present(spec), [
      ...registration.needs(row),
      ...shared,
    ]),
  ]
}

function sharedOf(registration: WantedRegistration): readonly Resource[] {
  return [...(registration.shared ?? [])].map(([name, spec]) =>
    resourceOf(refOf(registration.kind, name), present(spec), []),
  )
}

export function present(spec: Value): Value {
  return { state: 'present', spec }
}

/** The row itself: it goes last. */
function rowResource(row: ClusterRow, needs: readonly Need[], input: RenderInput): Resource {
  const { mode, prunesAbsent } = input.options
  return resourceOf(refOf('row', row.name), { state: 'absent', mode, prunesAbsent }, needs)
}

function resourceOf(ref: Ref, spec: Value, needs: readonly Need[]): Resource {
  return { ref, spec, needs, origin: { file: 'clusters', line: 1, column: 1 }, problems: [] }
}
