/** Rows of the clusters table for people and for programs. */
import type { ClusterNote, ClusterRow, Registrations } from '#model/clusters.ts'
import type { JsonRecord } from '#model/json.ts'
import { columns } from '../views/columns.ts'

const heading = ['NAME', 'PROVIDER', 'DESIRED', 'ACTUAL', 'HTTP', 'HTTPS', 'NODE', 'PF', 'SUBNET']

type Notes = ReadonlyMap<string, ClusterNote>

export function rowLines(rows: readonly ClusterRow[], notes: Notes): readonly string[] {
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
    shown(row.pfPort),
    shown(row.subnet),
    without(row, notes),
  ])
  const isWhole = rows.every((row) => without(row, notes) === '')
  const errors = rows.flatMap(({ name, reconcileError }) =>
    reconcileError === null ? [] : [`${name}: ${reconcileError.split('\n')[0]}`],
  )
  return [
    ...columns(isWhole ? heading : [...heading, 'WITHOUT'], cells),
    ...(errors.length === 0 ? [] : ['', ...errors]),
  ]
}

/** The registrations that the row declines. */
function without({ name }: ClusterRow, notes: Notes): string {
  const { route, portainer, argocd, git } = registrationsOf(name, notes)
  const off = Object.entries({ route, portainer, argocd, git }).filter(([, isOn]) => !isOn)
  return off.map(([what]) => what).join(', ')
}

export function registrationsOf(name: string, notes: Notes): Registrations {
  const all = { route: true, portainer: true, argocd: true, git: true }
  return notes.get(name)?.registrations ?? all
}

function shown(cell: number | string | null): string {
  return cell === null ? '-' : String(cell)
}

/** The row by the names of its columns. */
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
