/** The audit log over a database. No statement here changes a row; only `forgetOld` removes any, from the oldest on. */
import {
  auditAlwaysKept,
  type AuditEntry,
  type AuditLog,
  type AuditQuery,
  type AuditRow,
} from '#model/audit.ts'
import { numberIn, textIn, type Cell, type Database, type Query, type Row } from './database.ts'

export function auditOver(database: Query & Pick<Database, 'words'>): AuditLog {
  return {
    async append({ at, by, id, who, address, action, app, status, detail, count }) {
      await database.change(
        `insert into audit (number, at, proof, id, who, address, action, app, status, detail, times)
         values (${database.words.nextNumber('audit')}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [at, by, id, who, address, action, app, status, detail, count],
      )
    },
    async read(query) {
      const { where, cells } = conditions(query)
      const rows = await database.rows(
        `select * from audit ${where} order by number desc limit ?`,
        [...cells, query.limit],
      )
      return rows.map(rowOf)
    },
    async forgetOld({ rows, age }, now) {
      await database.change(
        `delete from audit where number <= (select max(number) from audit) - ?
         and (at < ? or number <= (select max(number) from audit) - ?)`,
        [auditAlwaysKept, now - age, rows],
      )
    },
  }
}

function conditions({ since, until, app, who, before }: AuditQuery): {
  readonly where: string
  readonly cells: readonly Cell[]
} {
  const parts: string[] = []
  const cells: Cell[] = []
  function add(sql: string, ...values: readonly Cell[]): void {
    parts.push(sql)
    cells.push(...values)
  }
  if (since !== undefined) add('at >= ?', since)
  if (until !== undefined) add('at <= ?', until)
  if (app !== undefined) add('app = ?', app)
  if (who !== undefined) add('(who = ? or id = ?)', who, who)
  if (before !== undefined) add('number < ?', before)
  return { where: parts.length === 0 ? '' : `where ${parts.join(' and ')}`, cells }
}

function rowOf(row: Row): AuditRow {
  const entry: AuditEntry = {
    at: numberIn(row, 'at'),
    by: textIn(row, 'proof'),
    id: textIn(row, 'id'),
    who: textIn(row, 'who'),
    address: textIn(row, 'address'),
    action: textIn(row, 'action'),
    app: textIn(row, 'app'),
    status: numberIn(row, 'status'),
    detail: textIn(row, 'detail'),
    count: numberIn(row, 'times'),
  }
  return { number: numberIn(row, 'number'), ...entry }
}
