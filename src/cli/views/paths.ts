/** Writes paths as people read them. */
import { relative } from 'node:path'

/** The path, relative where that is shorter. The address of a repository stays as it is. */
export function shownPath(path: string): string {
  if (/^[a-z][a-z+.-]*:\/\/|^[^/]+@[^/]+:/i.test(path)) return path
  const near = relative(process.cwd(), path)
  if (near === '') return '.'
  return near.startsWith('..') ? path : `./${near}`
}
