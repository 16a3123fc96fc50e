/** `tend audit`: who asked for which change. Without --server, of this home, whether the service runs or not. */
import { serviceAt } from '#clients/service/client.ts'
import type { AuditQuery, AuditRow } from '#model/audit.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { momentOf } from '../arguments/moment.ts'
import { findService } from '../service/find.ts'
import type { CommandContext } from '../session.ts'
import { columns } from '../views/columns.ts'
import { harmless } from '../views/paint.ts'

const usualRows = 50

export async function audit({ flags }: Invocation, context: CommandContext): Promise<number> {
  const { session, screen } = context
  const { app, who, limit = usualRows } = flags.service
  const since = momentOf('since', flags.service.since, session.clock.now(), -1)
  const rows = await read({ app: app[0], who, since, limit }, flags, context)
  if (screen.format !== 'table') {
    await screen.document({ audit: rows.map((row) => ({ ...row })) })
    return 0
  }
  if (rows.length === 0) screen.print(['Nobody asked for a change.'])
  else screen.print(columns(['TIME', 'WHO', 'FROM', 'WHAT', 'APP', 'ANSWER', ''], rows.map(cells)))
  return 0
}

async function read(
  query: AuditQuery,
  flags: Invocation['flags'],
  { session, signal }: CommandContext,
): Promise<readonly AuditRow[]> {
  const isRemote =
    flags.service.server !== undefined || (session.environment['TEND_SERVER'] ?? '') !== ''
  const address = isRemote ? findService(flags, session) : undefined
  if (address === undefined) return (await session.memoryIfAny())?.audit.read(query) ?? []
  const service = serviceAt(address)
  try {
    return await service.audit(query, signal)
  } finally {
    service.close()
  }
}

function cells(row: AuditRow): readonly string[] {
  const { at, by, id, who, address, action, app, status, detail, count } = row
  const named = id === '' || id === who ? who : `${who} (${by} ${id})`
  const times = count > 1 ? ` ×${count}` : ''
  const answer = `${status === 0 ? '-' : status}${times}`
  const time = new Date(at).toISOString().slice(0, 19) + 'Z'
  return [time, named, address, action, app, answer, detail].map(harmless)
}
