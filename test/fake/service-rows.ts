/** Rows of the service in memory: each fleet that it knows has one, `dev`. */
import type { ClusterRow } from '#model/api-fleets.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { RowPut, RowRemoval, RowsShown } from '#model/rows.ts'
import type { AppStatus } from '#model/service.ts'

const dev: ClusterRow = {
  name: 'dev',
  provider: 'k3d',
  declared: { provider: 'k3d', http_port: 18_090, config: { token: '******' } },
  actual: 'running',
  assessment: {
    ref: 'cluster/dev',
    sync: { state: 'synced', reason: '', changes: [] },
    health: { state: 'healthy', reason: '' },
  },
  conditions: [{ type: 'route', state: 'true', reason: '' }],
}

export function shownFakeRows(app: AppStatus): RowsShown {
  refuseOthers(app)
  return { rows: [dev] }
}

export function putFakeRow(
  app: AppStatus,
  name: string,
  columns: JsonRecord,
  { isNew }: RowPut,
): ClusterRow {
  refuseOthers(app)
  if (isNew && name === dev.name) {
    const message = `there is a cluster ${name} already`
    throw new Problem({ type: 'configuration', code: 'conflict', message })
  }
  return { ...dev, name, declared: { ...dev.declared, ...columns } }
}

export function removeFakeRow(app: AppStatus, name: string): RowRemoval {
  refuseOthers(app)
  if (name === 'dev') return { name, result: 'marked', message: 'dev is marked absent' }
  throw new Problem({ type: 'configuration', code: 'not_found', message: `no row for ${name}` })
}

function refuseOthers({ key, application }: AppStatus): void {
  if (application.kind === 'fleet') return
  throw new Problem({ type: 'configuration', code: 'not_found', message: `${key} has no rows` })
}
