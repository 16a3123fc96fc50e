/** The files of a snapshot as plain data, and as a tree in the process that renders it. */
import { normalize } from 'node:path/posix'
import { directoryTree } from './directory.ts'
import { withOmitted } from './omitted.ts'
import type { SnapshotFiles } from '#model/render.ts'
import type { Snapshot } from '#model/source.ts'
import type { Tree } from '#model/tree.ts'

export function filesOfSnapshot(snapshot: Snapshot): SnapshotFiles {
  const { folder, revision, tree, omitted = [] } = snapshot
  return { folder, revision, root: tree.root, omitted }
}

/** Limits that no snapshot reaches: sources have lower limits of their own. */
const limits = { mostFiles: 200_000, largestFile: 50 * 1024 ** 2 }

/** Many applications are rendered from one snapshot: its list of files is read once. */
let last: { readonly folder: string; readonly tree: Tree } | undefined

export function treeOfSnapshot({ folder, root, omitted }: SnapshotFiles): Tree {
  if (last?.folder === folder) return last.tree
  const options = { ...limits, shown: root, hasIgnoreFile: false, skipsBadLinks: true }
  const tree = withOmitted(directoryTree(folder, options), new Set(omitted.map(normalize)))
  last = { folder, tree }
  return tree
}

export function snapshotOf(files: SnapshotFiles): Snapshot {
  const { folder, revision } = files
  return { revision, message: '', at: 0, folder, tree: treeOfSnapshot(files) }
}
