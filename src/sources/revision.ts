/** What a directory is called where a commit would have a name: a hash over its files' names and contents. */
import { createHash } from 'node:crypto'
import type { Tree } from '#model/tree.ts'
import { yieldToEventLoop } from '#model/yield-to-event-loop.ts'

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

/** Bytes that are hashed without a pause. */
const piece = 256 * 1024

/** The same, with pauses. `each` gets every file as it is read, so that what is hashed is what is used. */
export async function revisionInTurns(
  tree: Tree,
  each: (path: string, content: Uint8Array) => void = () => undefined,
): Promise<string> {
  const breathe = yieldToEventLoop()
  const hash = createHash('sha256')
  for (const path of tree.list('')) {
    await breathe()
    const content = tree.read(path)
    if (content === undefined) continue
    hash.update(`${Buffer.byteLength(path)}:${path}:${content.length}:`)
    for (let at = 0; at < content.length; at += piece) {
      await breathe()
      hash.update(content.subarray(at, at + piece))
    }
    each(path, content)
  }
  for (const link of tree.badLinks?.() ?? [])
    hash.update(`${Buffer.byteLength(link)}:${link}:link:`)
  return hash.digest('hex').slice(0, 12)
}
