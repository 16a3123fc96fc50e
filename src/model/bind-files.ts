/** The port for files of snapshots that containers bind: where they lie, and how they get there. */
import type { Place } from './problem.ts'
import type { Snapshot } from './source.ts'
import type { Tree } from './tree.ts'

export type BindFiles = BindFolders & {
  /** Tend's own folder, which holds this one: with the database and the key. */
  readonly home: string
  /** The engine's path for a file or folder of a snapshot. Pure. */
  pathOf(file: BindFile, tree: Tree): string
  /** This machine's path for it. */
  ownPathOf(file: BindFile, tree: Tree): string
  /** Puts them there. */
  lay(files: readonly BindFile[], snapshot: Snapshot, signal: AbortSignal): Promise<void>
  /** Removes the copies that nobody writes to, that lie here for a while and that none of the texts names. */
  sweep(texts: AsyncIterable<string>, now: number): Promise<void>
}

export type BindFolders = {
  /** Of this machine. */
  readonly folder: string
  /** The same, as the engine sees it. */
  readonly seenAs: string
}

export type BindFile = {
  /** Of the application. */
  readonly key: string
  /** In the snapshot. */
  readonly path: string
  readonly isWritable: boolean
  /** It stays in a place that only Tend writes. */
  readonly isKept?: boolean
  /** It is bound nowhere: people find it where labels say that it lies. */
  readonly isSource?: boolean
  /** The line that asks for it. */
  readonly at?: Place
}
