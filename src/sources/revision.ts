/** What a directory is called where a commit would have a name: a hash over its files' names and contents. */
import { createHash } from 'node:crypto'
import type { Tree } from '#model/tree.ts'

/** Lengths stand before names and contents, so that no two different trees read the same. */
export function revisionOf(tree: Tree): string {
  const hash = createHash('sha256')
  for (const path of tree.list('')) {
    const content = tree.read(path)
    if (content === undefined) continue
    hash.update(`${Buffer.byteLength(path)}:${path}:${content.length}:`).update(content)
  }
  for (const link of tree.badLinks?.() ?? [])
    hash.update(`${Buffer.byteLength(link)}:${link}:link:`)
  return hash.digest('hex').slice(0, 12)
}
