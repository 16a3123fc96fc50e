/** The port for files of snapshots that containers bind: where they lie, and how they get there. */
import type { Place } from './problem.ts'
import type { Snapshot } from './source.ts'
import type { Tree } from './tree.ts'

export type BindFiles = BindFolders & {
  /** Tend's own folder, in which the folder of these files lies beside the database and the key. */
  readonly home: string
  /** The engine's path for a file or folder of a snapshot. Pure. */
  pathOf(file: BindFile, tree: Tree): string
  /** The path of the same file or folder on this machine. */
  ownPathOf(file: BindFile, tree: Tree): string
  /** Puts the files of a snapshot where `pathOf` says. */
  lay(files: readonly BindFile[], snapshot: Snapshot, signal: AbortSignal): Promise<void>
  /** Removes copies that nobody writes to, that have lain here for a while, and that none of the texts names. */
  sweep(texts: AsyncIterable<string>, now: number): Promise<void>
}

export type BindFolders = {
  /** The folder, as this machine sees it. */
  readonly folder: string
  /** The same folder, as the engine sees it. */
  readonly seenAs: string
}

export type BindFile = {
  /** The key of the application. */
  readonly key: string
  /** The path in the snapshot. */
  readonly path: string
  readonly isWritable: boolean
  /** The file is kept in a place that only Tend writes to. */
  readonly isKept?: boolean
  /** No container binds the file: people find it where labels say that it lies. */
  readonly isSource?: boolean
  /** The line of the declaration that asks for the file. */
  readonly at?: Place
}
