/** The rows of a fleet that lives in a repository, as a registration: the table says what the file says before clusters follow. */
import type { Clusters, ClusterRow, DeclaredCluster, HostChecks } from '#model/clusters.ts'
import { clusterSettingsIn } from '#model/cluster-settings.ts'
import type { Rendered } from '#model/domain.ts'
import { isRecord, type Json, type JsonRecord } from '#model/json.ts'
import { kindOf, refOf, type Ref } from '#model/ref.ts'
import type { Need, Resource } from '#model/resource.ts'
import { declaredOf } from '../rows-yaml.ts'
import type { Registration, WantedRegistration } from './registration.ts'
import { fieldOf } from '../live-state.ts'
import type { Declared } from '../fleet-context.ts'

const kind = 'table'
/** With a dot, which no cluster's name has. */
const fixture = 'clusters.yaml'
const rowsRef: Ref = refOf(kind, fixture)

export function wantedRows(clusters: readonly DeclaredCluster[]): WantedRegistration {
  return {
    kind,
    noun: 'table',
    shared: new Map([[fixture, specOf(clusters)]]),
    wanted: () => undefined,
    needs: () => [],
  }
}

/** `table`: the rows as they are now, without what the file says of them. */
export function rowsRegistration(
  clusters: readonly DeclaredCluster[],
  table: Declared,
  declare: Clusters['declare'],
  host: HostChecks,
): Registration {
  const known = new Map(table.rows.map((row) => [row.name, row]))
  // one that is to go and has no row is gone
  const isNeeded = ({ name, desired }: DeclaredCluster): boolean =>
    desired !== 'absent' || known.has(name)
  return {
    ...wantedRows(clusters),
    async list() {
      const there = clusters.flatMap((one): readonly DeclaredCluster[] => {
        const row = known.get(one.name)
        if (row === undefined) return isNeeded(one) ? [] : [one]
        const now = declaredOf(row, table.notes.get(one.name))
        return [{ ...now, pfPort: one.pfPort === undefined ? undefined : now.pfPort }]
      })
      return new Map([[fixture, { spec: specOf(there) }]])
    },
    put: () => declare(clusters.filter(isNeeded), host),
    remove: async () => undefined,
  }
}

/** What the file says of a row counts before what the table says; rows that it does not name are as they are. */
export function overlaid(table: Declared, clusters: readonly DeclaredCluster[]): Declared {
  const known = new Set(table.rows.map(({ name }) => name))
  // one that is to go and has no row is gone
  return withRows(
    table,
    clusters.filter(({ name, desired }) => desired !== 'absent' || known.has(name)),
  )
}

/** What the file alone says. */
export function rowsOfFile(clusters: readonly DeclaredCluster[]): Declared {
  return withRows({ rows: [], notes: new Map() }, clusters)
}

function withRows(table: Declared, clusters: readonly DeclaredCluster[]): Declared {
  const rows = new Map(table.rows.map((row) => [row.name, row]))
  const notes = new Map(table.notes)
  for (const one of clusters) {
    const known = rows.get(one.name)
    rows.set(one.name, { ...(known ?? unseen), ...columnsOf(one, known) })
    const { registrations, settings } = one
    notes.set(one.name, { made: notes.get(one.name)?.made, registrations, settings })
  }
  return { rows: [...rows.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)), notes }
}

/** Of a row that nobody has looked at. */
export const unseen = {
  serverIp: null,
  status: 'pending',
  actual: 'unknown',
  lastReconciledAt: null,
  reconcileError: null,
} as const

/** The columns that declare. A port that is not said is the one that the row has. */
export function columnsOf(
  one: DeclaredCluster,
  known: ClusterRow | undefined,
): Omit<ClusterRow, keyof typeof unseen> {
  const { name, provider, desired, subnet, nodePort } = one
  const { pfPort = known?.pfPort ?? null } = one
  const { httpPort = known?.httpPort ?? null, httpsPort = known?.httpsPort ?? null } = one
  return { name, provider, desired, subnet, nodePort, pfPort, httpPort, httpsPort }
}

/** Nothing is made before its row says so. */
export function afterRows(rendered: Rendered): Rendered {
  if (!rendered.resources.some(({ ref }) => ref === rowsRef)) return rendered
  const first: Need = { ref: rowsRef, until: 'exists', renew: false }
  const resources = rendered.resources.map((resource) =>
    kindOf(resource.ref) === 'cluster'
      ? { ...resource, needs: [first, ...resource.needs] }
      : resource,
  )
  return { ...rendered, resources }
}

/** What the file said, as it was rendered; undefined: this fleet's table is all that declares it. */
export function rowsIn(wanted: readonly Resource[]): readonly DeclaredCluster[] | undefined {
  const own = wanted.find(({ ref }) => ref === rowsRef)
  const spec = own && fieldOf(own.spec, 'spec')
  if (!isRecord<Json>(spec)) return undefined
  return Object.entries(spec).flatMap(([name, entry]) =>
    isRecord<Json>(entry) ? [clusterIn(name, entry)] : [],
  )
}

function specOf(clusters: readonly DeclaredCluster[]): Json {
  const entries = clusters.map(({ name, pfPort, registrations, settings, ...columns }) => {
    const rest = { ...columns, registrations: { ...registrations }, settings: { ...settings } }
    return [name, pfPort === undefined ? rest : { ...rest, pfPort }] as const
  })
  // without those that are not set
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)))
}

function clusterIn(name: string, entry: JsonRecord): DeclaredCluster {
  const text = (key: string): string => (typeof entry[key] === 'string' ? entry[key] : '')
  const port = (key: string): number | null => (typeof entry[key] === 'number' ? entry[key] : null)
  const said = isRecord<Json>(entry['registrations']) ? entry['registrations'] : {}
  return {
    name,
    provider: text('provider'),
    desired: text('desired'),
    subnet: text('subnet') === '' ? null : text('subnet'),
    nodePort: port('nodePort'),
    pfPort: 'pfPort' in entry ? port('pfPort') : undefined,
    httpPort: port('httpPort'),
    httpsPort: port('httpsPort'),
    registrations: {
      route: said['route'] !== false,
      portainer: said['portainer'] !== false,
      argocd: said['argocd'] !== false,
      git: said['git'] !== false,
    },
    settings: clusterSettingsIn(entry['settings'] ?? null),
  }
}
