/** Where a path inside a root really leads: the rule that none leads out of it. */
import { closeSync, constants, existsSync, lstatSync, openSync } from 'node:fs'
import { readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path/posix'
import { Problem } from '#model/problem.ts'

/** `shown` is the path that a user typed, `real` the path without links. */
export type Root = { readonly shown: string; readonly real: string }

/** The real path behind `inside`, all links followed; undefined when there is nothing. */
export function resolved(root: Root, inside: string): string | undefined {
  const path = join(root.real, inside)
  try {
    const real = realpathSync.native(path)
    if (real === root.real || real.startsWith(join(root.real, '/'))) return real
    throw leadsOut(root, inside)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ELOOP') throw circle(root, inside)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error instanceof Problem ? error : unreadable(join(root.shown, inside), error)
  }
}

/**
 * Reads what `real` leads to at this moment. A container that writes in the folder may have put a link on the way since the path
 * was resolved: what was opened says itself where it lies.
 */
export function readOpened(root: Root, inside: string, real: string): Uint8Array {
  // without waiting for the other end of a pipe
  const descriptor = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!liesIn(root, descriptor)) throw swapped(root, inside)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Whether an open file lies in the root. Where the system can't tell, the path was resolved a moment ago. */
function liesIn(root: Root, descriptor: number): boolean {
  const link = `/proc/self/fd/${descriptor}`
  if (!existsSync('/proc/self/fd')) return true
  return readlinkSync(link).startsWith(join(root.real, '/'))
}

function swapped(root: Root, inside: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'chart_unreadable',
    message: `${join(root.shown, inside)} leads out of ${root.shown} since a moment ago`,
    suggestion: 'Remove the link: nothing outside the folder is read.',
  })
}

/** The `code` of an error that Node's file functions throw. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

export function unreadable(shown: string, cause: unknown): Problem {
  const isDenied = codeOf(cause) === 'EACCES'
  return new Problem({
    type: 'configuration',
    code: 'chart_unreadable',
    message: isDenied ? `${shown} may not be read by this user` : `${shown} can't be read`,
    suggestion: isDenied
      ? 'Change its mode or owner, or run as a user who may read it.'
      : undefined,
    cause,
  })
}

export function circle(root: Root, inside: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'chart_unreadable',
    message: `the link ${join(root.shown, inside)} leads back to itself`,
    suggestion: 'Remove the link, or name it in .helmignore.',
  })
}

/** Names the very link that leads out: with nested folders the path alone does not show which one does. */
function leadsOut(root: Root, inside: string): Problem {
  const names = inside.split('/')
  const paths = names.map((_, i) => names.slice(0, i + 1).join('/'))
  const link = paths.find((path) => isLinkOut(root, path)) ?? inside
  const shown = join(root.shown, link)
  return new Problem({
    type: 'configuration',
    code: 'chart_unreadable',
    message: `${shown} is a link to ${readlinkSync(join(root.real, link))}, outside of ${root.shown}`,
    suggestion: 'Put a copy in its place: nothing outside the folder is read.',
  })
}

function isLinkOut(root: Root, path: string): boolean {
  const full = join(root.real, path)
  return (
    lstatSync(full).isSymbolicLink() &&
    !`${realpathSync.native(full)}/`.startsWith(join(root.real, '/'))
  )
}
