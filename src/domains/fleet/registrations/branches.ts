/** A branch for each cluster in a Git repository: begun from a base, and put aside when its cluster goes, never lost. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { serialQueue } from '#engine/serial-queue.ts'
import type { ClusterRow } from '#model/clusters.ts'
import { factsOf, Problem, problemOf } from '#model/problem.ts'
import { makeBare } from '#clients/git/objects.ts'
import { gitProblem } from '#clients/git/problem.ts'
import { pushRefs } from '#clients/git/push.ts'
import { fetchInto, remoteRefs, type Remote } from '#clients/git/remote.ts'
import type { Registration, WantedRegistration } from './registration.ts'

type BranchesInput = {
  readonly remote: Remote
  /** A bare repository of our own to fetch into. */
  readonly folder: string
  readonly base: string
  /** Names of branches that belong to no cluster, such as main. */
  readonly reserved: ReadonlySet<string>
  /** The name of the fleet, which is part of the refs that mark our branches. */
  readonly fleet: string
  readonly now: () => number
  readonly isWanted: (row: ClusterRow) => boolean
  /** Whether a cluster of this name has a branch, or had one until it was told to go. */
  readonly hasBranch: (name: string) => boolean
}

const limit = 60_000
const mostBytes = 64 * 1024 * 1024

export function wantedBranch({
  reserved,
  isWanted,
}: Pick<BranchesInput, 'reserved' | 'isWanted'>): WantedRegistration {
  return {
    kind: 'branch',
    noun: 'branch',
    staysWithRow: true,
    wanted: (row) => (isWanted(row) && !reserved.has(row.name) ? { branch: row.name } : undefined),
    needs: () => [],
  }
}

/** A ref `refs/tend/FLEET/NAME` beside a branch says that the branch is ours. Other branches are never touched. */
export function branchRegistration(input: BranchesInput): Registration {
  const { remote, reserved, fleet } = input
  const own = `refs/tend/${fleet}/`
  const headOf = (name: string): string => `refs/heads/${name}`

  async function git<Result>(doing: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw gitProblem(error, {
        shown: remote.address.shown,
        doing,
        secrets: remote.access.secrets,
      })
    }
  }
  function refs(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    return git('listing branches', () => remoteRefs(remote, true, signal, limit))
  }
  /** Clusters are made in parallel and share one bare repository, so that making it and fetching into it happen one at a time. */
  const oneByOne = serialQueue()
  function fetched(ref: string, signal: AbortSignal): Promise<void> {
    return oneByOne(() => fetchAlone(ref, signal))
  }
  async function fetchAlone(ref: string, signal: AbortSignal): Promise<void> {
    const { folder } = input
    if (!existsSync(join(folder, 'HEAD'))) await makeBare(folder, 40)
    const how = { depth: 1, filter: 'tree:0', limit, mostBytes }
    const fetch = { folder, refs: [`+${ref}:refs/tend/seen`], ...how }
    try {
      await fetchInto(remote, fetch, signal)
    } catch {
      // locks and halves that a cut power line left in it; there is nothing in it that is not fetched again
      signal.throwIfAborted()
      await rm(folder, { recursive: true, force: true })
      await makeBare(folder, 40)
      await git('fetching a branch', () => fetchInto(remote, fetch, signal))
    }
  }
  async function push(
    words: readonly string[],
    from: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<void> {
    const { folder } = input
    await git('pushing a branch', () =>
      pushRefs(remote, { folder, refs: words, from, limit }, signal),
    ).catch(refusedPush)
  }

  return {
    ...wantedBranch(input),
    async list(rows, signal) {
      const all = await refs(signal)
      const isMarked = (name: string): boolean => all.has(`${own}${name}`)
      const marked = [...all.keys()].filter((ref) => ref.startsWith(own))
      const names = new Set([...rows, ...marked.map((ref) => ref.slice(own.length))])
      const there = [...names].filter((name) => {
        if (reserved.has(name)) return false
        // a branch that only happens to be called like a cluster is somebody else's
        if (all.has(headOf(name))) return isMarked(name) || input.hasBranch(name)
        return isMarked(name) && !rows.has(name)
      })
      return new Map(there.map((name) => [name, { spec: { branch: name } }]))
    },
    async put(name, _spec, { signal }) {
      const all = await refs(signal)
      if (all.has(headOf(name))) return
      const commit = all.get(headOf(input.base))
      if (commit === undefined) throw noBase(input.base, remote.address.shown)
      await fetched(headOf(input.base), signal)
      const mark = `${own}${name}`
      const words = [`${commit}:${headOf(name)}`, `+${commit}:${mark}`]
      await push(words, new Map([[headOf(name), '']]), signal)
    },
    async remove(name, { signal }) {
      if (reserved.has(name)) return
      const all = await refs(signal)
      const [head, mark] = [headOf(name), `${own}${name}`]
      const commit = all.get(head)
      const unmark = all.has(mark) ? [`:${mark}`] : []
      if (commit === undefined)
        return unmark.length === 0 ? undefined : push(unmark, new Map(), signal)
      await fetched(head, signal)
      const stamp = new Date(input.now()).toISOString().replace(/[-:]|\.\d+/g, '')
      const aside = `${commit}:refs/heads/archive/${name}-${stamp}`
      await push([aside, `:${head}`, ...unmark], new Map([[head, commit]]), signal)
    },
  }
}

function noBase(base: string, shown: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'git_error',
    message: `${shown} has no branch ${base} to begin others from`,
    suggestion: 'push one, or name another in fleet.yaml: git.base',
  })
}

/** A push that was refused, with what to do: a credential that may read may still lack the right to write. */
function refusedPush(thrown: unknown): never {
  const problem = problemOf(thrown)
  if (!/denied|refuses the key|read.?only/i.test(problem.message)) throw thrown
  const suggestion =
    'give a token, or a deploy key, that may write to the repository (git.token in fleet.yaml)'
  throw new Problem({ ...factsOf(problem), suggestion, cause: thrown })
}
