/** Notes over a database: one row a note. */
import type { Json } from '#model/json.ts'
import type { Notes } from '#model/store.ts'
import { textIn, type Query } from './database.ts'

export function notesOver(database: Query): Notes {
  return {
    async read(topic) {
      const rows = await database.rows('select key, body from notes where topic = ?', [topic])
      return new Map(rows.map((row) => [textIn(row, 'key'), noteIn(textIn(row, 'body'))]))
    },
    async get(topic, key) {
      const sql = 'select body from notes where topic = ? and key = ?'
      const [row] = await database.rows(sql, [topic, key])
      return row && noteIn(textIn(row, 'body'))
    },
    async add(topic, key, note) {
      const added = await database.change(
        `insert into notes (topic, key, body) values (?, ?, ?)
         on conflict (topic, key) do nothing`,
        [topic, key, JSON.stringify(note)],
      )
      return added === 1
    },
    async write(topic, key, note) {
      if (note === undefined) {
        await database.change('delete from notes where topic = ? and key = ?', [topic, key])
        return
      }
      await database.change(
        `insert into notes (topic, key, body) values (?, ?, ?)
         on conflict (topic, key) do update set body = excluded.body`,
        [topic, key, JSON.stringify(note)],
      )
    },
  }
}

/** One note; undefined: there is none. */
export async function readNote(
  database: Query,
  topic: string,
  key: string,
): Promise<Json | undefined> {
  const sql = 'select body from notes where topic = ? and key = ?'
  const [row] = await database.rows(sql, [topic, key])
  return row === undefined ? undefined : noteIn(textIn(row, 'body'))
}

function noteIn(body: string): Json {
  return JSON.parse(body)
}
