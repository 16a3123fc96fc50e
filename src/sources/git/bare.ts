/** The bare repository in a cache: fetched into, read from, and made again when it is harmed. */
import { existsSync } from 'node:fs'
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeBare, hasCommit, writeSettings, type Store } from '#clients/git/objects.ts'
import { isNotAdvertised, isUnexplained } from '#clients/git/problem.ts'
import { fetchInto, wholeHistory, type Remote } from '#clients/git/remote.ts'
import { Problem } from '#model/problem.ts'
import type { GitLimits } from './limits.ts'

/** Packs are never put together: after so many fetches it is cheaper to start anew. */
const mostPacks = 50

class Harmed extends Error {}

export type Bare = {
  readonly store: Store
  /** One fetch, or none when the commit was fetched before. */
  get(remote: Remote, commit: string, signal: AbortSignal): Promise<void>
  /** Does `work`, which may fetch. When it fails because of what is in the folder, it is done once more with an empty folder. */
  heal<T>(work: () => Promise<T>): Promise<T>
  /** Throws Harmed for what is missing and was not left out by a filter. */
  account(unfetched: readonly string[]): Promise<void>
  keepOnly(commits: ReadonlySet<string>): Promise<void>
}

export function bareIn(folder: string, store: Store, limits: GitLimits): Bare {
  const fetched = join(folder, 'refs/tend')
  const leftOut = join(folder, 'left-out')
  let isFresh = false

  async function get(remote: Remote, commit: string, signal: AbortSignal): Promise<void> {
    if (existsSync(join(fetched, commit))) return
    await ready(commit.length)
    const fetch = {
      folder,
      refs: [`+${commit}:refs/tend/${commit}`],
      depth: 1,
      filter: `blob:limit=${limits.largestFile + 1}`,
      limit: limits.fetchTime,
      mostBytes: limits.mostBytes,
    }
    try {
      await fetchInto(remote, fetch, signal)
    } catch (error) {
      if ((await clearHalfPacks()) >= limits.mostBytes) throw tooLarge(remote, limits)
      if (!isNotAdvertised(error)) throw error
      const refs = ['+refs/heads/*:refs/all/heads/*', '+refs/tags/*:refs/all/tags/*']
      await fetchInto(remote, { ...fetch, refs, depth: wholeHistory }, signal)
      if (!(await hasCommit(store, commit, signal))) throw error
      await mkdir(fetched, { recursive: true })
      await writeFile(join(fetched, commit), `${commit}\n`)
    } finally {
      await writeSettings(folder, commit.length)
    }
  }

  /** Removes what an interrupted fetch left. Gives the size of the largest file. */
  async function clearHalfPacks(): Promise<number> {
    const packs = join(folder, 'objects/pack')
    const halves = (await namesIn(packs)).filter((name) => name.startsWith('tmp_'))
    const sizes = await Promise.all(
      halves.map(async (name) => (await stat(join(packs, name))).size),
    )
    await Promise.all(halves.map((name) => rm(join(packs, name), { force: true })))
    return Math.max(0, ...sizes)
  }

  async function ready(length: number): Promise<void> {
    const packs = await namesIn(join(folder, 'objects/pack'))
    if (packs.filter((name) => name.endsWith('.pack')).length >= mostPacks) await empty()
    if (existsSync(join(folder, 'HEAD'))) return writeSettings(folder, length)
    await empty()
    await makeBare(folder, length)
    isFresh = true
  }

  async function empty(): Promise<void> {
    await rm(folder, { recursive: true, force: true })
  }

  async function heal<T>(work: () => Promise<T>): Promise<T> {
    isFresh = false
    try {
      return await work()
    } catch (error) {
      if (isFresh || !(error instanceof Harmed || isUnexplained(error))) throw error
      await empty()
      return await work()
    }
  }

  async function account(unfetched: readonly string[]): Promise<void> {
    if (unfetched.length === 0) return
    // there is none before something was left out
    const known = new Set((await readFile(leftOut, 'utf8').catch(() => '')).split('\n'))
    const news = unfetched.filter((id) => !known.has(id))
    if (news.length === 0) return
    if (!isFresh) throw new Harmed('objects are missing')
    await appendFile(leftOut, news.map((id) => `${id}\n`).join(''))
  }

  /** Keeps the last fetched commit too: the next fetch needs it to know what is new. */
  async function keepOnly(commits: ReadonlySet<string>): Promise<void> {
    const names = await namesIn(fetched)
    const aged = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(fetched, name))).mtimeMs })),
    )
    const older = aged.toSorted((a, b) => b.at - a.at).slice(1)
    for (const { name } of older) if (!commits.has(name)) await rm(join(fetched, name))
  }

  return { store, get, heal, account, keepOnly }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  // a folder that is not there has no names
  return readdir(folder).catch(() => [])
}

/** The system ended the unpacking; what git says of that differs. */
function tooLarge(remote: Remote, limits: GitLimits): Problem {
  const most = Math.floor(limits.mostBytes / 1024 ** 2)
  return new Problem({
    type: 'runtime',
    code: 'git_error',
    message: `${remote.address.shown} is larger than the limit of ${most} MB`,
    suggestion: 'Raise the limit on size, or keep large files out of the repository.',
  })
}
