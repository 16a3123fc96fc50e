/** The file of an SQLite database: private to its user, and put aside when it is damaged. */
import { chmodSync, closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Problem } from '#model/problem.ts'
import type { Database } from './database.ts'
import { migrate } from './migrations.ts'
import { isDamage, openSqlite } from './sqlite.ts'

/** A damaged file is replaced by a new one with a warning, twice at most: a disk that damages everything can't be mended here. */
export async function openSqliteFile(
  file: string,
  now: () => number,
  warn: (text: string) => void,
): Promise<Database> {
  for (let attempt = 1; ; attempt++) {
    makePrivate(file)
    const inode = inodeOf(file)
    try {
      if (!isNoted(file, inode)) return noting(await openedUpToDate(file, now), file, inode)
    } catch (error) {
      if (!isDamage(error) || attempt > 2) throw error
    }
    const warning = putAside(file, inode, now())
    if (warning !== undefined) warn(warning)
  }
}

/**
 * SQLite gives its log the mode of the database. A file that is there is never opened here: closing it again would drop
 * the locks that another connection of this process holds on it.
 */
function makePrivate(file: string): void {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) closeSync(openSync(file, 'a', 0o600))
    else if ((found.mode & 0o077) !== 0) chmodSync(file, 0o600)
  } catch (cause) {
    throw new Problem({
      type: 'configuration',
      code: 'store_unusable',
      message: `the database ${file} can't be made or kept private`,
      suggestion: 'Check the mode and owner of its folder, or set TEND_HOME to a folder of yours.',
      cause,
    })
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino
}

async function openedUpToDate(file: string, now: () => number): Promise<Database> {
  const database = await openSqlite(file, 'own', now)
  try {
    await migrate(database, file)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Nothing when another process has put it aside already and begun anew. The log goes first: left behind, it would be
 * played into the new database.
 */
function putAside(file: string, inode: number | undefined, now: number): string | undefined {
  if (inodeOf(file) !== inode) return undefined
  const aside = `${file}.broken-${new Date(now).toISOString().replaceAll(/[-:]/g, '')}`
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
  }
  rmSync(noteOf(file), { force: true })
  return `the database ${file} was damaged: it is now ${aside}, and a new one was begun. History is lost, nothing else: tokens and suspensions are kept beside it.`
}

/** Damage that shows in the middle of a run is noted for the next process that opens the file, which puts it aside. */
function noting(database: Database, file: string, inode: number | undefined): Database {
  async function noted<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work
    } catch (error) {
      if (isDamage(error)) writeFileSync(noteOf(file), String(inode), { mode: 0o600 })
      throw error
    }
  }
  return {
    words: database.words,
    rows: (sql, cells) => noted(database.rows(sql, cells)),
    change: (sql, cells) => noted(database.change(sql, cells)),
    transaction: (work) => noted(database.transaction(work)),
    close: () => database.close(),
  }
}

/** The note names one inode: a new file under the same name is not damaged. */
function isNoted(file: string, inode: number | undefined): boolean {
  return existsSync(noteOf(file)) && readFileSync(noteOf(file), 'utf8') === String(inode)
}

function noteOf(file: string): string {
  return `${file}.damaged`
}
