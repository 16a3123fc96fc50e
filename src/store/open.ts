/** Opens what Tend remembers: the database and the key in its home, made when they are not there. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { AuditLog } from '#model/audit.ts'
import type { Clock } from '#model/clock.ts'
import { Problem } from '#model/problem.ts'
import type { Leases, Notes, Store } from '#model/store.ts'
import { auditOver } from './audit.ts'
import { givenKey, homeKey } from './key.ts'
import { leasesOver } from './leases.ts'
import { keepingNotes } from './keepsake.ts'
import { isGone, ownMark } from './process-mark.ts'
import { storeOver } from './runs.ts'
import { openSqliteFile } from './sqlite-file.ts'

export type Opened = {
  readonly store: Store
  readonly leases: Leases
  readonly notes: Notes
  readonly audit: AuditLog
  /** 32 bytes: of vaults, and of the seeds of templates. */
  readonly key: Uint8Array
  /** For the user: what was found in disorder. */
  readonly warnings: readonly string[]
}

export type Home = {
  /** `$TEND_HOME`. */
  readonly home: string
  /** `$TEND_KEY_FILE`: another place for the key, which must be there. */
  readonly keyFile?: string | undefined
  readonly clock?: Pick<Clock, 'now'>
}

export async function openStore({ home, keyFile, clock = Date }: Home): Promise<Opened> {
  makeHome(home)
  const file = join(home, 'tend.db')
  const warnings: string[] = []
  const key =
    keyFile === undefined ? keyOfHome(home, existsSync(file), warnings) : givenKey(keyFile)
  const now = (): number => clock.now()
  const database = await openSqliteFile(file, now, (text) => warnings.push(text))
  const times = { heartbeat: 3000, expiry: 15_000 }
  const leases = leasesOver(database, { now, self: ownMark, isGone, ...times })
  const notes = await keepingNotes(database, join(home, 'keepsake.json'))
  const audit = auditOver(database)
  return { store: storeOver(database, key), leases, notes, audit, key, warnings }
}

function makeHome(home: string): void {
  try {
    makeFolder(resolve(home))
  } catch (cause) {
    throw new Problem({
      type: 'configuration',
      code: 'store_unusable',
      message: `the folder ${home}, where Tend keeps its history, can't be made`,
      suggestion: 'Set TEND_HOME to a folder of yours.',
      cause,
    })
  }
}

/** One by one: Node's own recursion never ends where a folder that is there takes no new ones (/proc). */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (thrown) {
    // another process was quicker
    if (!existsSync(path)) throw thrown
  }
}

function keyOfHome(home: string, hasHistory: boolean, warnings: string[]): Uint8Array {
  const { key, isNew } = homeKey(join(home, 'key'))
  if (isNew && hasHistory) {
    warnings.push(
      `there was no key in ${home}, so a new one was made: recorded secrets of earlier runs can't be read with it, and random values of templates change.`,
    )
  }
  return key
}
