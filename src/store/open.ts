/** Opens what Tend remembers: the database and the key in its home, made when they are not there. */
import { createHmac } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { AuditLog } from '#model/audit.ts'
import type { Clock } from '#model/clock.ts'
import { Problem } from '#model/problem.ts'
import type { Leases, Notes, Store } from '#model/store.ts'
import type { TimelineLog } from '#model/timeline.ts'
import { auditOver } from './audit.ts'
import type { Database } from './database.ts'
import { givenKey, homeKey } from './key.ts'
import { leasesOver, monotonic } from './leases.ts'
import { keepingNotes } from './durable-settings.ts'
import type { Replicas } from '#model/replicas.ts'
import { migrate } from './migrations.ts'
import { notesOver } from './notes.ts'
import { isGone, ownMark } from './process-mark.ts'
import { replicasOver } from './replicas.ts'
import { storeOver } from './runs.ts'
import { timelineOver } from './timeline.ts'
import { openSqliteFile } from './sqlite-file.ts'

export type Opened = {
  readonly store: Store
  readonly leases: Leases
  readonly notes: Notes
  readonly audit: AuditLog
  readonly timeline: TimelineLog
  /** The database that everything is kept in. */
  readonly database: Database
  /** The database is on a server, and other processes may use it too. */
  readonly isShared: boolean
  /** Undefined: the database is a file, and no other replica can share it. */
  readonly replicas?: Replicas
  /** The instance's key of 32 bytes, for vaults and for the seeds of templates. */
  readonly key: Uint8Array
  /** Problems that were found while opening, for the user. */
  readonly warnings: readonly string[]
}

export type Home = {
  /** `$TEND_HOME`. */
  readonly home: string
  /** `$TEND_KEY_FILE`: another place for the key, which must be there. */
  readonly keyFile?: string | undefined
  /** `$TEND_DATABASE`: postgres://…; without it, a file in the home. */
  readonly address?: string | undefined
  readonly clock?: Pick<Clock, 'now'>
}

/** How long a holder may be silent, ms. It is short where others wait to take over. */
const alone = { heartbeat: 3000, expiry: 15_000 }
const shared = { heartbeat: 2000, expiry: 9000 }

export async function openStore(wanted: Home): Promise<Opened> {
  const { home, keyFile, address, clock = Date } = wanted
  makeHome(home)
  // a variable that is set to nothing names nothing
  if (address !== undefined && address !== '') return openShared(address, home, keyFile)
  const file = join(home, 'tend.db')
  const warnings: string[] = []
  const key =
    keyFile === undefined ? keyOfHome(home, existsSync(file), warnings) : givenKey(keyFile)
  const now = (): number => clock.now()
  const database = await openSqliteFile(file, now, (text) => warnings.push(text))
  const leases = leasesOver(database, { monotonic, self: ownMark, isGone, ...alone })
  const notes = await keepingNotes(database, join(home, 'keepsake.json'))
  const audit = auditOver(database)
  const store = storeOver(database, key)
  const timeline = timelineOver(database)
  return { store, leases, notes, audit, timeline, database, isShared: false, key, warnings }
}

/** On a server the notes are safe, so there is no second copy in a file. */
async function openShared(
  address: string,
  home: string,
  keyFile: string | undefined,
): Promise<Opened> {
  checkAddress(address)
  const { openPostgres, shownAddress } = await import('./postgres.ts')
  const shown = shownAddress(address)
  const database = await openPostgres(address)
  try {
    await migrate(database, shown)
    const key = keyFile === undefined ? homeKey(join(home, 'key')).key : givenKey(keyFile)
    const notes = notesOver(database)
    await checkKey(notes, key, shown)
    const leases = leasesOver(database, { monotonic, self: ownMark, isGone, ...shared })
    const store = storeOver(database, key)
    const [audit, timeline] = [auditOver(database), timelineOver(database)]
    const replicas = replicasOver(database, { monotonic, expiry: shared.expiry })
    const kept = { store, leases, notes, audit, timeline, replicas }
    return { ...kept, database, isShared: true, key, warnings: [] }
  } catch (thrown) {
    await database.close()
    throw thrown
  }
}

/** Never shown: what is no address may hold anything, a password too. */
function checkAddress(address: string): void {
  if (/^postgres(ql)?:\/\//i.test(address)) return
  throw new Problem({
    type: 'configuration',
    code: 'usage',
    message: 'the address of the database does not begin with postgres://',
    suggestion:
      'Write --database postgres://user@host/name, or TEND_DATABASE; without it history is kept in tend.db of TEND_HOME.',
  })
}

/** All who share a database must have the same key, or one could not read what another one kept. */
async function checkKey(notes: Notes, key: Uint8Array, shown: string): Promise<void> {
  const mark = createHmac('sha256', key).update('tend: whose database it is').digest('hex')
  // of several that come first, with keys of their own, one is right
  if (await notes.add('key', 'mark', mark)) return
  if ((await notes.get('key', 'mark')) === mark) return
  throw new Problem({
    type: 'configuration',
    code: 'store_unusable',
    message: `the database ${shown} belongs to a service with another key`,
    suggestion:
      'Copy the key of the first replica ($TEND_HOME/key) and name it: TEND_KEY_FILE=FILE.',
  })
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
