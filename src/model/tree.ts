/** A snapshot's files: synchronous, immutable, confined. The rule that no path escapes lives in its implementation alone. */

export type Tree = {
  /** How messages name the root: the path a user typed. */
  readonly root: string
  /** Paths of all files below a folder, relative to the root, with `/`, sorted; empty when there is no such folder. */
  list(folder: string): readonly string[]
  /** Undefined: there is no such file. Throws a configuration problem for a path that leaves the root (symlinks resolved). */
  read(path: string): Uint8Array | undefined
  /** Links that lead out or nowhere, which no list holds: what they stood for can't be told. */
  readonly badLinks?: () => readonly string[]
  /** How many bytes a read would give, where that is known without reading; 0 for no such file. */
  readonly sizeOf?: (path: string) => number
  /** A text that is equal for equal content in trees of one source, where it is known without reading; empty for no such file. */
  readonly idOf?: (path: string) => string
}
