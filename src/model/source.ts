/** Where snapshots come from. A repository is asked once for all applications that live in it. */
import type { CommitFacts } from './api.ts'
import type { Problem } from './problem.ts'
import type { Tree } from './tree.ts'

export type Snapshot = {
  /** A commit's full id, or a hash over a directory's files. */
  readonly revision: string
  /** The commit's subject; empty for a directory. */
  readonly message: string
  /** Who wrote the commit; empty where nobody knows. */
  readonly author?: string
  /** The signature of the commit was checked; absent: nobody asked for that. */
  readonly isSigned?: boolean
  /** The time of the commit, ms; 0 where nobody knows it. */
  readonly at: number
  readonly tree: Tree
  /** A folder of this machine with exactly these files: not changed, and kept while the snapshot is held. */
  readonly folder: string
  /** Files of the revision that are not in the folder: too large, or not nameable here. */
  readonly omitted?: readonly string[]
}

export type Repository = {
  /** As messages and the API show it: without credentials. */
  readonly shown: string
  /** What is wrong with the words of a ref, whatever the repository has; absent where every ref will do. */
  refProblem?(ref: string): Problem | undefined
  /** One question outside, whatever the number of refs: each ref's newest revision; undefined for one that is not there. */
  latest(
    refs: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string | undefined>>
  /** From the cache where it is there. Throws a problem, recoverable or not; the last good one stays readable. */
  snapshot(revision: string, ref: string, signal: AbortSignal): Promise<Snapshot>
  /** Whether a commit has the other one behind it; undefined: that can't be told. Asks outside only where its parents don't tell. */
  readonly comesFrom?: (
    revision: string,
    from: string,
    signal: AbortSignal,
  ) => Promise<boolean | undefined>
  /** Who changed each line of a file last; undefined where that is older than what can be got. Asks outside the first time. */
  readonly blame?: (
    revision: string,
    path: string,
    signal: AbortSignal,
  ) => Promise<readonly (CommitFacts | undefined)[]>
  /** The tag that a range of versions (`semver:1.x`) meant when it was last asked for. */
  readonly tagOf?: (ref: string) => string | undefined
  /** Branches and tags, by their whole names, as of the last asking. */
  readonly names?: () => readonly string[]
  /** Drops what is cached, save these revisions. */
  keepOnly(revisions: ReadonlySet<string>): Promise<void>
}
