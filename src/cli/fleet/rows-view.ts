/** Rows of the clusters table for people and for programs. */
import type { ClusterRow } from '#model/clusters.ts'
import type { JsonRecord } from '#model/json.ts'
import { columns } from '../views/columns.ts'

const heading = ['NAME', 'PROVIDER', 'DESIRED', 'ACTUAL', 'HTTP', 'HTTPS', 'NODE', 'SUBNET']

export function rowLines(rows: readonly ClusterRow[]): readonly string[] {
  if (rows.length === 0)
    return [
      'No clusters are declared. tend fleet add NAME --provider kind, k3d, kwok or existing declares one.',
    ]
  const cells = rows.map((row) => [
    row.name,
    row.provider,
    row.desired,
    row.actual,
    shown(row.httpPort),
    shown(row.httpsPort),
    shown(row.nodePort),
    shown(row.subnet),
  ])
  const errors = rows.flatMap(({ name, reconcileError }) =>
    reconcileError === null ? [] : [`${name}: ${reconcileError.split('\n').at(-1)}`],
  )
  return [...columns(heading, cells), ...(errors.length === 0 ? [] : ['', ...errors])]
}

function shown(cell: number | string | null): string {
  return cell === null ? '-' : String(cell)
}

/** The names of the columns. */
export function rowDocument(row: ClusterRow): JsonRecord {
  return {
    name: row.name,
    provider: row.provider,
    subnet: row.subnet,
    node_port: row.nodePort,
    pf_port: row.pfPort,
    http_port: row.httpPort,
    https_port: row.httpsPort,
    server_ip: row.serverIp,
    status: row.status,
    desired_state: row.desired,
    actual_state: row.actual,
    last_reconciled_at: row.lastReconciledAt,
    reconcile_error: row.reconcileError,
  }
}
