/** What is asked of a render, which happens in a process of its own, and what comes back: plain data alone. */
import type { Application } from './application.ts'
import type { BindFile, BindFiles } from './bind-files.ts'
import type { ProblemFacts } from './problem.ts'
import type { Resource } from './resource.ts'

/** The files of a snapshot on this machine. */
export type SnapshotFiles = {
  readonly folder: string
  readonly revision: string
  /** How messages name its root. */
  readonly root: string
  /** Files that were too large to be fetched. */
  readonly omitted: readonly string[]
}

/** What every kind's request has; a kind adds what its own render needs. */
export type RenderRequest = {
  readonly files: SnapshotFiles
  readonly application: Application
  readonly seed: Uint8Array
  /** What an earlier render read (the lines of its inputs): while that is the same nothing is rendered. */
  readonly known?: string
}

export type RenderAnswer = {
  readonly resources: readonly Resource[]
  readonly problems: readonly ProblemFacts[]
  readonly warnings: readonly string[]
  readonly isIncomplete: boolean
  readonly version: string
  /** The secrets of the vault, by id. */
  readonly secrets: ReadonlyMap<string, Uint8Array>
  /** Parts that are declared and not active, such as services that no active profile selects. */
  readonly inactive: readonly string[]
  readonly hash: string
  /** The file that a person would open, relative to the application's folder. */
  readonly file: string
  /** Everything that the render read, one line for each input. */
  readonly read: string
  readonly placed: readonly BindFile[]
  /** What another program has to build before this can be rendered, in words of the kind. */
  readonly needs: string | undefined
}

/** What decides on a render beside the declaration and its files. */
export type RenderContext = {
  /** When the application was first installed, ms. */
  readonly since: number
  readonly seed: Uint8Array
  readonly bindFiles: BindFiles
  /** The engine sees the files of this machine, or the operator said where it sees them. */
  readonly sharesFiles: boolean
}

/** Work on a repository's files that only one kind knows: done where renders are. */
export type KindTask = {
  /** The name of the kind. */
  readonly kind: string
  readonly name: string
}

export type TaskRunner = {
  /** Throws a problem, also when it takes longer than `timeout`, ms. */
  perform(task: KindTask, timeout: number): Promise<unknown>
}
