/** The clusters table as a source: its revision is a hash over what its rows declare and over the settings beside it. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { reservedCluster } from '#model/clusters.ts'
import { Problem } from '#model/problem.ts'
import type { Repository, Snapshot } from '#model/source.ts'
import { listedTree } from '#sources/directory.ts'
import { withLock } from '#sources/lock.ts'
import { treeStore, type KeptTree } from '#sources/tree-store.ts'
import type { FleetAround } from './around.ts'
import { rowsText } from './declared-rows.ts'
import { withTable } from './open.ts'
import { settingsFileOf, type FleetPlace } from './fleet-address.ts'
import { unreadable } from './settings.ts'
import { rowsFile, settingsFile } from './snapshot-names.ts'

const limits = {
  mostFiles: 10,
  largestFile: 50 * 1024 ** 2,
  hasIgnoreFile: false,
  skipsBadLinks: true,
}

type TableRead = {
  readonly revision: string
  readonly message: string
  readonly files: ReadonlyMap<string, string>
}

/** `cache` is one folder for the snapshots of all sources. Every ref of a table means what is in it now. */
export function tableRepository(place: FleetPlace, cache: string, around: FleetAround): Repository {
  const { database } = place
  const home = join(cache, `table-${hashOf(JSON.stringify(place)).slice(0, 12)}`)
  const trees = treeStore(join(home, 'trees'))
  let last: TableRead | undefined

  async function read(): Promise<TableRead> {
    const { rows, notes } = await withTable(database, 'read', around, async (clusters) => {
      return { rows: await clusters.rows(), notes: await clusters.notes() }
    })
    const files = new Map([[rowsFile, rowsText({ rows, notes })], ...settingsIn(place)])
    const own = rows.filter(({ name }) => name !== reservedCluster).length
    const message = own === 1 ? '1 row' : `${own} rows`
    return { revision: hashOf(JSON.stringify([...files])).slice(0, 40), message, files }
  }

  /** Writes exactly what was read for the revision, so that nothing can change in between. */
  function make({ files, message, revision }: TableRead): Promise<KeptTree> {
    return trees.put(revision, {
      async write(folder) {
        for (const [name, text] of files) writeFileSync(join(folder, name), text, { mode: 0o600 })
        return { message, at: 0, omitted: [] }
      },
    })
  }

  async function kept(revision: string, signal: AbortSignal): Promise<KeptTree> {
    const found = await trees.find(revision)
    if (found !== undefined) return found
    const now = last?.revision === revision ? last : await read()
    if (now.revision !== revision) throw changed(database, revision)
    return withLock(home, signal, async () => (await trees.find(revision)) ?? make(now))
  }

  return {
    shown: database,
    async latest(refs) {
      last = await read()
      const { revision } = last
      return new Map(refs.map((ref) => [ref, revision]))
    },
    async snapshot(revision, _ref, signal): Promise<Snapshot> {
      const { folder, message, at } = await kept(revision, signal)
      const tree = await listedTree(folder, { ...limits, shown: database, keepsContents: false })
      return { revision, message, at, tree, folder }
    },
    keepOnly: (revisions) => trees.keepOnly(revisions),
  }
}

function settingsIn(place: FleetPlace): readonly (readonly [string, string])[] {
  const { file, isThere } = settingsFileOf(place)
  if (!isThere && place.config === undefined) return []
  try {
    return [[settingsFile, readFileSync(file, 'utf8')]]
  } catch (cause) {
    throw unreadable(file, cause instanceof Error ? cause.message : String(cause))
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function changed(database: string, revision: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'git_error',
    message: `the rows in ${database} are no longer as they were at revision ${revision}`,
    suggestion: 'look again: their newest revision can be had',
    recoverable: true,
  })
}
