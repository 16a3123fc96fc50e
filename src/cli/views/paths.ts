/** Paths as people read them. */
import { relative } from 'node:path'

/** Relative where that is shorter to read; the address of a repository as it is. */
export function shownPath(path: string): string {
  if (/^[a-z][a-z+.-]*:\/\/|^[^/]+@[^/]+:/i.test(path)) return path
  const near = relative(process.cwd(), path)
  if (near === '') return '.'
  return near.startsWith('..') ? path : `./${near}`
}
