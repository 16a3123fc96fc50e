/** What rows declare, as a file of a snapshot: whoever wrote them may have written anything, and it is kept as it is. Pure. */
import { unseen } from '#domains/fleet/registrations/table-rows.ts'
import type { Declared } from '#domains/fleet/fleet-context.ts'
import { clusterSettingsIn } from '#model/cluster-settings.ts'
import type { ClusterNote, ClusterRow, Registrations } from '#model/clusters.ts'
import { canonical, isList, isRecord, type Json, type JsonRecord } from '#model/json.ts'

export function rowsText({ rows, notes }: Declared): string {
  const all = rows.map((row) => {
    const { name, provider, subnet, nodePort, pfPort, httpPort, httpsPort, desired } = row
    const { registrations, settings } = notes.get(name) ?? {}
    const beside: Json = JSON.parse(JSON.stringify({ registrations, settings }))
    const ports = { nodePort, pfPort, httpPort, httpsPort }
    // a port that is no number is a fault of its row, and stays one
    const texts = Object.entries(ports).map(([key, port]) => [
      key,
      port === null ? null : `${port}`,
    ])
    const columns = { name, provider, subnet, desired, ...Object.fromEntries(texts) }
    return { ...columns, ...(isRecord<Json>(beside) ? beside : {}) }
  })
  return `${canonical(all)}\n`
}

export function rowsIn(text: string): Declared {
  const all: unknown = JSON.parse(text)
  const entries = isList<Json>(all) ? all.filter((one) => isRecord<Json>(one)) : []
  const notes = entries.flatMap((entry): readonly (readonly [string, ClusterNote])[] => {
    const { registrations, settings } = entry
    if (!isRecord<Json>(registrations)) return []
    const known = isRecord<Json>(settings) ? clusterSettingsIn(settings) : {}
    const note = { registrations: registrationsIn(registrations), made: undefined, settings: known }
    return [[textIn(entry, 'name'), note]]
  })
  return { rows: entries.map(rowIn), notes: new Map(notes) }
}

function rowIn(entry: JsonRecord): ClusterRow {
  return {
    ...unseen,
    name: textIn(entry, 'name'),
    provider: textIn(entry, 'provider'),
    desired: textIn(entry, 'desired'),
    subnet: typeof entry['subnet'] === 'string' ? entry['subnet'] : null,
    nodePort: portIn(entry, 'nodePort'),
    pfPort: portIn(entry, 'pfPort'),
    httpPort: portIn(entry, 'httpPort'),
    httpsPort: portIn(entry, 'httpsPort'),
  }
}

function registrationsIn(entry: JsonRecord): Registrations {
  const { route, portainer, argocd, git } = entry
  return {
    route: route !== false,
    portainer: portainer !== false,
    argocd: argocd !== false,
    git: git !== false,
  }
}

function textIn(entry: JsonRecord, key: string): string {
  const value = entry[key]
  return typeof value === 'string' ? value : ''
}

function portIn(entry: JsonRecord, key: string): number | null {
  const value = entry[key]
  return typeof value === 'string' ? Number(value) : null
}
