/** The commits behind a revision, fetched when somebody first asks who changed a line, and never for a run. */
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { blameOf, type LineCommit } from '#clients/git/blame.ts'
import { hasCommit, makeBare, writeSettings } from '#clients/git/objects.ts'
import type { Git } from '#clients/git/git.ts'
import { fetchInto, type Remote } from '#clients/git/remote.ts'
import type { GitLimits } from './limits.ts'

/** How many commits are fetched: older changes are not shown. */
const depth = 2_000
/** A larger file is no declaration. */
const largestFile = 256 * 1024

export type History = {
  /** The commit of each line; undefined where the change is older than what was fetched. */
  blame(
    revision: string,
    path: string,
    signal: AbortSignal,
  ): Promise<readonly (LineCommit | undefined)[]>
}

export function historyIn(
  folder: string,
  git: Git,
  limits: GitLimits,
  reach: <T>(doing: string, work: (remote: Remote) => Promise<T>) => Promise<T>,
): History {
  const store = { git, folder, limit: limits.fetchTime }
  let last: Promise<unknown> = Promise.resolve()

  async function fetched(revision: string, signal: AbortSignal): Promise<void> {
    if (existsSync(join(folder, 'HEAD')) && (await isThere(revision, signal))) return
    await reach(`fetching the history of ${revision.slice(0, 12)}`, async (remote) => {
      if (!existsSync(join(folder, 'HEAD'))) {
        await rm(folder, { recursive: true, force: true })
        await makeBare(folder, revision.length)
      }
      const fetch = {
        folder,
        refs: [`+${revision}:refs/tend/newest`],
        depth,
        filter: `blob:limit=${largestFile}`,
        limit: limits.fetchTime,
        mostBytes: limits.mostBytes,
      }
      try {
        await fetchInto(remote, fetch, signal)
      } finally {
        await writeSettings(folder, revision.length)
      }
    })
  }

  async function isThere(revision: string, signal: AbortSignal): Promise<boolean> {
    // what can't be asked is fetched
    return hasCommit(store, revision, signal).catch(() => false)
  }

  async function blame(
    revision: string,
    path: string,
    signal: AbortSignal,
  ): Promise<readonly (LineCommit | undefined)[]> {
    await fetched(revision, signal)
    // a store with the whole history has no such file
    const ends = (await readFile(join(folder, 'shallow'), 'utf8').catch(() => '')).split('\n')
    const cut = new Set(ends.filter((end) => end !== ''))
    const lines = await blameOf(store, revision, path, signal)
    return lines.map((line) => (cut.has(line.revision) ? undefined : line))
  }

  return {
    async blame(revision, path, signal) {
      // one after the other: two fetches into one folder get in each other's way
      const mine = last.then(() => blame(revision, path, signal))
      last = mine.catch(() => undefined)
      return mine
    },
  }
}
