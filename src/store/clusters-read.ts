/** Reads rows of the clusters table, also of one that was made before some of its columns were. */
import type { ClusterNote, ClusterRow, Made } from '#model/clusters.ts'
import type { Json } from '#model/json.ts'
import { clusterSettingsIn } from '#model/cluster-settings.ts'
import { columnsOf } from './clusters-schema.ts'
import { textIn, type Query, type Row } from './database.ts'

export async function readRows(query: Query): Promise<readonly ClusterRow[]> {
  const known = await columnsOf(query, 'clusters')
  // every cell is read as text, since a number of any size may stand there
  const cells = columns
    .filter((name) => known.has(name))
    .map((name) => `cast(${name} as text) as ${name}`)
  const rows = await query.rows(`select ${cells.join(', ')} from clusters order by name`)
  return rows.map(rowOf)
}

const columns =
  'name provider subnet node_port pf_port http_port https_port server_ip status desired_state actual_state last_reconciled_at reconcile_error'.split(
    ' ',
  )

function rowOf(row: Row): ClusterRow {
  return {
    name: textIn(row, 'name'),
    provider: textIn(row, 'provider'),
    subnet: wordIn(row, 'subnet'),
    nodePort: portIn(row, 'node_port'),
    pfPort: portIn(row, 'pf_port'),
    httpPort: portIn(row, 'http_port'),
    httpsPort: portIn(row, 'https_port'),
    serverIp: wordIn(row, 'server_ip'),
    status: wordIn(row, 'status') ?? 'unknown',
    desired: wordIn(row, 'desired_state') ?? 'present',
    actual: wordIn(row, 'actual_state') ?? 'unknown',
    lastReconciledAt: wordIn(row, 'last_reconciled_at'),
    reconcileError: wordIn(row, 'reconcile_error'),
  }
}

/** NULL and the empty text mean the same, because the program whose table this was wrote both. */
function wordIn(row: Row, column: string): string | null {
  const cell = row[column] ?? null
  return cell === null || cell === '' ? null : String(cell)
}

/** A text that is no number becomes NaN, which the rules of rows refuse. */
function portIn(row: Row, column: string): number | null {
  const word = wordIn(row, column)
  return word === null ? null : Number(word)
}

export async function readNotes(query: Query): Promise<ReadonlyMap<string, ClusterNote>> {
  if ((await columnsOf(query, 'tend_clusters')).size === 0) return new Map()
  const hasDetails = (await columnsOf(query, 'tend_cluster_details')).size > 0
  const sql = hasDetails
    ? `select tend_clusters.*, details.identity, details.settings from tend_clusters
       left join tend_cluster_details details on details.name = tend_clusters.name`
    : 'select * from tend_clusters'
  const rows = await query.rows(sql)
  return new Map(rows.map((row) => [textIn(row, 'name'), noteOf(row)]))
}

function noteOf(row: Row): ClusterNote {
  const isOn = (column: string): boolean => Number(row[column]) !== 0
  return {
    registrations: {
      route: isOn('route'),
      portainer: isOn('portainer'),
      argocd: isOn('argocd'),
      git: isOn('git'),
    },
    made: madeIn(row),
    settings: clusterSettingsIn(specIn(String(row['settings'] ?? ''))),
  }
}

const phases = ['making', 'made', 'adopted', 'found'] as const

function madeIn(row: Row): Made | undefined {
  const phase = phases.find((one) => one === row['made_phase'])
  if (phase === undefined) return undefined
  const provider = textIn(row, 'made_provider')
  const identity = wordIn(row, 'identity') ?? undefined
  return { phase, provider, spec: specIn(textIn(row, 'made_spec')), identity }
}

/** A note that can't be read counts as none. */
function specIn(text: string): Json {
  try {
    const spec: Json = JSON.parse(text || 'null')
    return spec
  } catch {
    // a harmed note says nothing
    return null
  }
}
