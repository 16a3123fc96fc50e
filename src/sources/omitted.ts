/** Files of a commit that were not fetched: using one is a problem that says so. */
import { normalize } from 'node:path/posix'
import { Problem } from '#model/problem.ts'
import type { Tree } from '#model/tree.ts'

/** A file that was not fetched does not read as one that is missing: reading it is a problem. */
export function withOmitted(tree: Tree, omitted: ReadonlySet<string>): Tree {
  if (omitted.size === 0) return tree
  function read(path: string): Uint8Array | undefined {
    if (!omitted.has(normalize(path))) return tree.read(path)
    throw new Problem({
      type: 'configuration',
      code: 'git_error',
      message: `${tree.root}/${path} was not fetched: it is too large, or its name is not UTF-8`,
      suggestion: 'Keep it elsewhere, or raise the limit on the size of a file.',
    })
  }
  return { ...tree, read }
}
