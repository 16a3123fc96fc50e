/** A small file beside the database with what must outlive it: who may come in, and what is suspended. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { isRecord, type Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { Notes } from '#model/store.ts'
import type { Database, Query } from './database.ts'
import { notesOver, readNote } from './notes.ts'

/** Which notes are kept, by topic. Of tokens only hashes are kept; the local token is made anew at each start. */
const kept: Readonly<Record<string, (key: string, note: Json) => boolean>> = {
  token: (key) => key !== 'local',
  'service.app': (_, note) => isRecord<Json>(note) && note['suspended'] === true,
  'fleets-suspended': () => true,
}

const written = z.record(z.string(), z.record(z.string(), z.json()))
type Written = Readonly<Record<string, Readonly<Record<string, Json>>>>

/** A database without this note never saw the file: it is a new one, or one of an earlier release. */
const mark = { topic: 'keepsake', key: 'seen' }

/** Notes that are written to the file too. A new database gets what the file holds. */
export async function keepingNotes(database: Database, file: string): Promise<Notes> {
  const plain = notesOver(database)
  if (!(await plain.read(mark.topic)).has(mark.key)) await database.transaction(begin)
  return {
    read: (topic) => plain.read(topic),
    get: (topic, key) => plain.get(topic, key),
    async add(topic, key, note) {
      if (kept[topic]?.(key, note) !== true) return plain.add(topic, key, note)
      return database.transaction(async (inside) => {
        const isAdded = await notesOver(inside).add(topic, key, note)
        if (isAdded) save(file, await inForce(inside))
        return isAdded
      })
    },
    async write(topic, key, note) {
      const isKept = kept[topic]
      if (isKept === undefined) return plain.write(topic, key, note)
      // this one alone: there is a note for each application, and each run writes some
      const before = await readNote(database, topic, key)
      const counts = (one: Json | undefined): boolean => one !== undefined && isKept(key, one)
      if (!counts(before) && !counts(note)) return plain.write(topic, key, note)
      // nobody else writes in between: the file is never older than the database
      await database.transaction(async (inside) => {
        await notesOver(inside).write(topic, key, note)
        save(file, await inForce(inside))
      })
    },
  }

  async function begin(inside: Query): Promise<void> {
    const notes = notesOver(inside)
    for (const [topic, byKey] of Object.entries(readIfThere(file))) {
      const there = await notes.read(topic)
      for (const [key, note] of Object.entries(byKey)) {
        if (!there.has(key)) await notes.write(topic, key, note)
      }
    }
    const now = await inForce(inside)
    if (Object.values(now).some((byKey) => Object.keys(byKey).length > 0)) save(file, now)
    await notes.write(mark.topic, mark.key, true)
  }
}

async function inForce(inside: Query): Promise<Written> {
  const all: Record<string, Readonly<Record<string, Json>>> = {}
  for (const [topic, isKept] of Object.entries(kept)) {
    const notes = [...(await notesOver(inside).read(topic))]
    all[topic] = Object.fromEntries(notes.filter(([key, note]) => isKept(key, note)))
  }
  return all
}

function save(file: string, all: Written): void {
  const next = `${file}.new-${process.pid}`
  try {
    writeFileSync(next, `${JSON.stringify(all)}\n`, { mode: 0o600, flush: true })
    renameSync(next, file)
  } catch (cause) {
    rmSync(next, { force: true })
    throw unusable(file, "can't be written", 'Check the mode and owner of its folder.', cause)
  }
}

/** A file that can't be read lets nobody in. */
function readIfThere(file: string): Written {
  if (!existsSync(file)) return {}
  try {
    return written.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    const advice = `It holds tokens and what is suspended. Put it back, or remove it and make tokens anew.`
    throw unusable(file, "can't be read", advice, cause)
  }
}

function unusable(file: string, what: string, suggestion: string, cause: unknown): Problem {
  const message = `${file} ${what}`
  return new Problem({ type: 'configuration', code: 'store_unusable', message, suggestion, cause })
}
