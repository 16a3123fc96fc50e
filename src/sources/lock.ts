/** One at a time on a folder, among calls and among processes; a killed holder lets go by dying. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

/** SQLite's lock is the system's: no pid to guess about, and it holds between containers on one volume, too. */
export async function withLock<T>(
  folder: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  mkdirSync(folder, { recursive: true })
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
  try {
    while (!isTaken(lock)) await sleep(20 + Math.random() * 20, undefined, { signal })
    return await work()
  } finally {
    lock.close()
  }
}

function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    // 5: SQLITE_BUSY
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return false
    throw error
  }
}
