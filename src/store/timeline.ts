/** The time-line over a database: one row an entry, whose words are JSON. */
import type { KeptEntry, TimelineLog } from '#model/timeline.ts'
import { jsonText } from './json-text.ts'
import { textIn, type Cell, type Database, type Query } from './database.ts'

export function timelineOver(database: Query & Pick<Database, 'words'>): TimelineLog {
  return {
    async append(entry) {
      await database.change(
        `insert into timeline (number, at, app, body) values (${database.words.nextNumber('timeline')}, ?, ?, ?)`,
        [entry.at, entry.key ?? '', jsonText(entry)],
      )
    },
    async read({ from, to, app, limit }) {
      const parts: string[] = []
      const cells: Cell[] = []
      function add(sql: string, value: Cell): void {
        parts.push(sql)
        cells.push(value)
      }
      if (from !== undefined) add('at >= ?', from)
      if (to !== undefined) add('at <= ?', to)
      if (app !== undefined) add('app = ?', app)
      const where = parts.length === 0 ? '' : `where ${parts.join(' and ')}`
      const sql = `select body from timeline ${where} order by at desc, number desc limit ?`
      const rows = await database.rows(sql, [...cells, limit])
      return rows.map((row): KeptEntry => JSON.parse(textIn(row, 'body')))
    },
    async forgetOld(before, rows) {
      await database.change(
        'delete from timeline where at < ? or number <= (select max(number) from timeline) - ?',
        [before, rows],
      )
    },
  }
}

export function memoryTimeline(): TimelineLog {
  let kept: readonly KeptEntry[] = []
  return {
    async append(entry) {
      kept = [entry, ...kept].toSorted((one, other) => other.at - one.at)
    },
    async read({ from = -Infinity, to = Infinity, app, limit }) {
      const fits = ({ at, key }: KeptEntry): boolean =>
        at >= from && at <= to && (app === undefined || key === app)
      return kept.filter(fits).slice(0, limit)
    },
    async forgetOld(before, rows) {
      kept = kept.filter(({ at }) => at >= before).slice(0, rows)
    },
  }
}
