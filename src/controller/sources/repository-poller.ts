/** The repositories that applications come from: asked once for all of them, the last good snapshot kept. */
import type { Cause } from '#model/event.ts'
import type { Clock } from '#model/clock.ts'
import { factsOf, problemOf } from '#model/problem.ts'
import type { Metrics, SourceStatus } from '#model/service.ts'
import type { Repository, Snapshot } from '#model/source.ts'
import type { Notes } from '#model/store.ts'
import { nextAsking } from './next-asking.ts'
import { coalesceCalls } from '../coalesce-calls.ts'
import { inherit } from '#sources/inputs.ts'
import { withKept } from './kept-snapshot.ts'
import { noSuchRef } from './no-such-ref.ts'
import { branchNotes } from './branch-notes.ts'

/** One ref of a repository. */
export type Branch = {
  readonly ref: string
  status: SourceStatus
  /** The last good one. */
  snapshot: Snapshot | undefined
  before: string | undefined
  /** Not everything in the snapshot could be taken over: it is read again. */
  isHalfRead: boolean
  /** The revision that a next start knows of. */
  noted: string | undefined
  /** The revision that the next one is to come from. */
  known: string | undefined
}

export type Repo = {
  readonly id: string
  readonly repository: Repository
  readonly branches: Map<string, Branch>
  /** ms; 0: only when told. */
  interval: number
  /** Why the next asking happens, and with it the runs that follow. */
  cause: Cause
  /** The revision that a forge named, by ref: got while it is asked whether that is so. */
  readonly announced: Map<string, string>
  failures: number
  nextAsking: number | undefined
  isAsking(): boolean
  /** Asks, and reads what moved: of these refs, or of all. An asking that begins after this call. */
  ask(refs?: Iterable<string>): Promise<void>
  /** The same, but what another replica heard of the repository will do. */
  poll(): Promise<void>
}

export type BranchHooks = {
  readonly clock: Clock
  readonly notes: Notes
  readonly metrics: Metrics
  readonly stop: AbortSignal
  told(branch: Branch): void
  /** Asks where its refs are, or knows it from others who did. */
  latest(
    repo: Repo,
    refs: readonly string[],
    isPolled: boolean,
    cause: Cause,
  ): ReturnType<Repository['latest']>
  /** There will be a new snapshot; there is one. */
  moving(): void
  moved(branch: Branch, cause: Cause): Promise<void>
}

/** It was its time: nobody asked for it. */
export const polled: Cause = { trigger: 'refresh' }

/** A repository that can't be asked is asked again with the next refresh, so often. */
const mostTraces = 3

type Traced = { readonly revision: string; readonly tries: number; readonly isLeftOpen: boolean }

/** By revision; undefined where it could not be got. */
type Ahead = ReadonlyMap<string, Promise<Snapshot | undefined>>

export function repoOf(id: string, repository: Repository, hooks: BranchHooks): Repo {
  const { clock, notes, metrics, stop } = hooks
  const noting = branchNotes(notes, clock)
  let isAsking = false
  let isPolled = true
  /** What the next asking is about; undefined: all refs. */
  let wanted: Set<string> | undefined = new Set()
  const asked = coalesceCalls(askOnce)
  /** What it was asked of each branch where it comes from, how often, and whether that may be asked once more. */
  const traced = new Map<Branch, Traced>()
  /** Refs that the repository does not have, as far as it answered: those who asked for others do not wait because of them. */
  let wrongRefs: ReadonlySet<string> = new Set()
  const repo: Repo = {
    id,
    repository,
    branches: new Map(),
    interval: 0,
    cause: { trigger: 'start-up' },
    announced: new Map(),
    failures: 0,
    nextAsking: clock.now(),
    isAsking: () => isAsking,
    ask(refs) {
      isPolled = false
      return askFor(refs)
    },
    poll: () => askFor(undefined),
  }
  return repo

  function askFor(refs: Iterable<string> | undefined): Promise<void> {
    if (refs === undefined) wanted = undefined
    for (const ref of refs ?? []) wanted?.add(ref)
    return asked()
  }

  async function askOnce(): Promise<void> {
    isAsking = true
    const { cause } = repo
    repo.cause = polled
    const only = wanted
    wanted = new Set()
    const branches = [...repo.branches.values()].filter(({ ref }) => only?.has(ref) ?? true)
    for (const branch of branches) tell(branch, { state: 'refreshing' })
    try {
      await askAll(branches, cause)
    } finally {
      isAsking = false
      const failing = branches.filter(({ status }) => status.state !== 'completed')
      const isPart = failing.length < branches.length
      const isWell = failing.every(({ ref }) => isPart && wrongRefs.has(ref))
      // after a push the others are asked when it is their time
      if (only === undefined || !isWell) {
        repo.failures = isWell ? 0 : repo.failures + 1
        repo.nextAsking = nextAsking(repo, clock)
      }
    }
  }

  async function askAll(branches: readonly Branch[], cause: Cause): Promise<void> {
    let latest: ReadonlyMap<string, string | undefined>
    const ahead = getAhead(branches)
    try {
      const refs = [...repo.branches.keys()]
      const known = refs.filter((ref) => repository.refProblem?.(ref) === undefined)
      const isEnough = isPolled
      isPolled = true
      latest = known.length === 0 ? new Map() : await hooks.latest(repo, known, isEnough, cause)
      wrongRefs = new Set(refs.filter((ref) => latest.get(ref) === undefined))
    } catch (thrown) {
      for (const branch of branches) await failed(branch, thrown, cause)
      return
    }
    for (const branch of branches) {
      try {
        await read(branch, latest.get(branch.ref), cause, ahead)
      } catch (thrown) {
        await failed(branch, thrown, cause, latest.get(branch.ref))
      }
    }
    await Promise.all(ahead.values())
    // old files only take room until the next time
    await dropOthers([...repo.branches.values()]).catch(() => undefined)
  }

  /** What was read of a branch before a restart stays, also where it can't be read again yet. */
  async function dropOthers(branches: readonly Branch[]): Promise<void> {
    const held = new Set<string>()
    for (const branch of branches) {
      const { revision } = branch.snapshot ?? (await noting.noted(branch)) ?? {}
      for (const one of [revision, branch.before]) if (one !== undefined) held.add(one)
    }
    await repository.keepOnly(held)
  }

  async function read(
    branch: Branch,
    revision: string | undefined,
    cause: Cause,
    ahead: Ahead,
  ): Promise<void> {
    if (revision === undefined) {
      throw repository.refProblem?.(branch.ref) ?? noSuchRef(branch.ref, repository)
    }
    if (branch.snapshot?.revision !== revision || branch.isHalfRead) {
      await load(branch, revision, cause, await ahead.get(revision))
    }
    const wasRefused = branch.status.refused !== undefined
    branch.status = { ...branch.status, refused: undefined }
    if (branch.noted !== revision || wasRefused) await noting.note(branch, revision)
    tell(branch, { state: 'completed', at: clock.now(), problem: undefined })
    const last = traced.get(branch)
    const isDue = last?.revision !== revision || last.isLeftOpen
    if (branch.known !== revision && isDue) void trace(branch, revision)
  }

  /** Beside the run that the move started: whether history was rewritten is worth saying, and nothing waits for it. */
  async function trace(branch: Branch, revision: string): Promise<void> {
    const last = traced.get(branch)
    const tries = last?.revision === revision ? last.tries + 1 : 1
    traced.set(branch, { revision, tries, isLeftOpen: false })
    const { known: from } = branch
    let hasFailed = false
    const isNamed = repository.tagOf?.(branch.ref) !== undefined
    const isAsked = from !== undefined && repository.comesFrom !== undefined && !isNamed
    if (isAsked) metrics.count('tend_git_calls_total', { operation: 'lineage' })
    // it is handled below
    const isHeir = isAsked
      ? await repository.comesFrom?.(revision, from, stop).catch(() => void (hasFailed = true))
      : true
    // one that came meanwhile is held against the same one
    if (branch.snapshot?.revision !== revision || branch.known !== from) return
    if (hasFailed && tries < mostTraces) {
      traced.set(branch, { revision, tries, isLeftOpen: true })
      return
    }
    branch.known = revision
    if (from === undefined || isHeir !== false) return
    metrics.count('tend_source_rewrites_total', {})
    tell(branch, { rewritten: { from, at: clock.now() } })
    // after a restart the rewrite may be told once more
    await noting.note(branch, revision).catch(() => undefined)
  }

  /** What the repository does not confirm is never used. */
  function getAhead(branches: readonly Branch[]): Ahead {
    const ahead = new Map<string, Promise<Snapshot | undefined>>()
    for (const { ref, snapshot } of branches) {
      const revision = repo.announced.get(ref)
      if (revision === undefined || revision === snapshot?.revision) continue
      ahead.set(
        revision,
        // it is only fetched ahead: the branch itself meets the error
        get(revision, ref).catch(() => undefined),
      )
    }
    repo.announced.clear()
    return ahead
  }

  async function get(revision: string, ref: string): Promise<Snapshot> {
    metrics.count('tend_git_calls_total', { operation: 'snapshot' })
    return repository.snapshot(revision, ref, stop)
  }

  async function load(
    branch: Branch,
    revision: string,
    cause: Cause,
    got?: Snapshot,
  ): Promise<void> {
    if (branch.snapshot !== undefined) hooks.moving()
    const snapshot = got ?? (await get(revision, branch.ref))
    if (branch.snapshot === undefined) await noting.recall(branch)
    if (branch.snapshot !== undefined) inherit(branch.snapshot.tree, snapshot.tree)
    branch.before = branch.snapshot?.revision
    branch.snapshot = snapshot
    branch.isHalfRead = true
    const rewritten = branch.known === revision ? branch.status.rewritten : undefined
    branch.status = { ...branch.status, revision, message: snapshot.message, rewritten }
    await hooks.moved(branch, cause)
    branch.isHalfRead = false
  }

  /** What was good stays. After a start that is what was good before. */
  async function failed(
    branch: Branch,
    thrown: unknown,
    cause: Cause,
    revision?: string,
  ): Promise<void> {
    if (stop.aborted) return
    if (branch.snapshot === undefined) await loadNoted(branch, cause)
    const problem = withKept(factsOf(problemOf(thrown)), branch)
    const isRefused = revision !== undefined && problem.recoverable !== true
    const refused = isRefused
      ? await noting.refuse(branch, revision, problem)
      : branch.status.refused
    tell(branch, { state: 'failed', at: clock.now(), problem, refused })
  }

  async function loadNoted(branch: Branch, cause: Cause): Promise<void> {
    const before = await noting.noted(branch)
    if (before === undefined) return
    // the branch is asked again at its next interval, and tells then
    await load(branch, before.revision, cause).catch(() => undefined)
  }

  function tell(branch: Branch, news: Partial<SourceStatus>): void {
    branch.status = { ...branch.status, ...news }
    hooks.told(branch)
  }
}
