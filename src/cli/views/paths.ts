/** Paths as people read them. */
import { relative } from 'node:path'

/** Relative where that is shorter to read. */
export function shownPath(path: string): string {
  const near = relative(process.cwd(), path)
  if (near === '') return '.'
  return near.startsWith('..') ? path : `./${near}`
}
