/** The hash by which the content of a file is known. */
import { createHash } from 'node:crypto'

export function contentHash(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

/** Of all that is in a folder, by name; a file that can't be read counts as empty. */
export function folderHash(
  files: readonly string[],
  read: (path: string) => Uint8Array | undefined,
): string {
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    const content = read(file) ?? new Uint8Array()
    hash.update(`${Buffer.byteLength(file)}:${file}:${content.length}:`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}
