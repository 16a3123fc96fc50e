/** The hash by which the content of a file is known. */
import { createHash } from 'node:crypto'

export function contentHash(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}
