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

function noteIn(body: string): Json {
  return JSON.parse(body)
}
