/**
 * Files that containers read from a place that stays: filled anew when they change, and put back when a run goes back. A container
 * may have planted links, pipes or devices on the way or among the files: none is followed, read or waited for.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
} from 'node:fs'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join, relative } from 'node:path/posix'
import { Problem } from '#model/problem.ts'
import { inFolder } from './descend.ts'
import { defined } from '#model/defined.ts'

/** Below the root, folder by folder. */
type Names = readonly string[]
type Kind = 'file' | 'folder' | 'other' | undefined
type FileContent = { readonly content: Buffer; readonly mode: number }

/** `to` then holds what `from` holds, and nothing else. What it held before is kept beside it. Both are below the root. */
export function fillKept(root: string, from: string, to: string): void {
  const [source, target] = [namesOf(root, from), namesOf(root, to)]
  if (kindAt(root, source) === undefined) throw swept(from)
  // another container that shares these files, or an attempt whose answer was lost, has filled it: what was before stays known
  if (isSame(root, source, target)) return
  if (kindAt(root, target) !== undefined) copyOver(root, target, beforeOf(target))
  copyOver(root, source, target)
}

/** Back to what it held before it was last filled. */
export function unfillKept(root: string, to: string): void {
  const target = namesOf(root, to)
  const before = beforeOf(target)
  if (kindAt(root, before) !== undefined) copyOver(root, before, target)
}

function namesOf(root: string, path: string): Names {
  return relative(root, path).split('/')
}

/** In a folder beside all kept ones of the application, which nothing is bound from. */
function beforeOf([app = '', kept = '', ...rest]: Names): Names {
  return [app, `${kept}-before`, ...rest]
}

function kindAt(root: string, names: Names): Kind {
  return inFolder(root, names.slice(0, -1), (here) => kindOf(join(here, lastOf(names))))
}

function kindOf(path: string): Kind {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'
}

function isSame(root: string, one: Names, other: Names): boolean {
  const kind = kindAt(root, one)
  if (kind !== kindAt(root, other)) return false
  if (kind !== 'folder') return areEqual(read(root, one), read(root, other))
  const files = filesIn(root, one)
  const others = new Set(filesIn(root, other).map((file) => file.join('/')))
  return (
    files.length === others.size &&
    files.every(
      (file) =>
        others.has(file.join('/')) &&
        areEqual(read(root, [...one, ...file]), read(root, [...other, ...file])),
    )
  )
}

function areEqual(one: FileContent, other: FileContent): boolean {
  return one.mode === other.mode && one.content.equals(other.content)
}

function copyOver(root: string, from: Names, to: Names): void {
  // a file that is bound by itself is seen by its inode: another one under its name would not be seen
  if (kindAt(root, from) !== 'folder') return overwrite(root, to, read(root, from))
  const files = filesIn(root, from)
  inFolder(root, to, () => {})
  for (const file of files) replace(root, [...to, ...file], read(root, [...from, ...file]))
  const wanted = new Set(files.map((file) => file.join('/')))
  for (const file of filesIn(root, to).filter((one) => !wanted.has(one.join('/')))) {
    const path = [...to, ...file]
    inFolder(root, path.slice(0, -1), (here) => rmSync(join(here, lastOf(path)), { force: true }))
  }
}

/** Without waiting for whoever writes to a pipe, and nothing but a file. */
function read(root: string, names: Names): FileContent {
  return inFolder(root, names.slice(0, -1), (here) => contentOf(join(here, lastOf(names)), names))
}

function contentOf(path: string, names: Names): FileContent {
  if (kindOf(path) !== 'file') throw planted(names)
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const descriptor = openSync(path, flags)
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile()) throw planted(names)
    return { content: readFileSync(descriptor), mode: found.mode & 0o777 }
  } finally {
    closeSync(descriptor)
  }
}

function overwrite(root: string, names: Names, { content, mode }: FileContent): void {
  const flags =
    constants.O_WRONLY |
    constants.O_CREAT |
    constants.O_TRUNC |
    constants.O_NOFOLLOW |
    constants.O_NONBLOCK
  inFolder(root, names.slice(0, -1), (here) => {
    const descriptor = openSync(join(here, lastOf(names)), flags)
    try {
      if (!fstatSync(descriptor).isFile()) throw planted(names)
      writeFileSync(descriptor, content)
      fchmodSync(descriptor, mode)
    } finally {
      closeSync(descriptor)
    }
  })
}

/** Beside it and renamed: never half of it. What is the same stays untouched. */
function replace(root: string, names: Names, { content, mode }: FileContent): void {
  inFolder(root, names.slice(0, -1), (here) => {
    const target = join(here, lastOf(names))
    const isThere = kindOf(target) === 'file'
    if (isThere && areEqual(contentOf(target, names), { content, mode })) return
    const beside = join(here, `.new-${randomBytes(6).toString('hex')}`)
    const descriptor = openSync(beside, 'wx')
    try {
      writeFileSync(descriptor, content)
      fchmodSync(descriptor, mode)
    } finally {
      closeSync(descriptor)
    }
    renameSync(beside, target)
  })
}

/** Whatever is no folder, files or not. */
function filesIn(root: string, names: Names, inside: Names = []): readonly Names[] {
  const entries = inFolder(root, [...names, ...inside], (here) =>
    readdirSync(here, { withFileTypes: true }),
  )
  return entries.flatMap((entry) => {
    const path = [...inside, entry.name]
    return entry.isDirectory() ? filesIn(root, names, path) : [path]
  })
}

function lastOf(names: Names): string {
  return defined(names.at(-1))
}

function planted(names: Names): Problem {
  return new Problem({
    type: 'runtime',
    code: 'conflict',
    message: `${names.join('/')} is a link, a pipe or a device: only Tend writes there, so a container planted it`,
    suggestion: 'Look what the application does, and remove it: nothing is read through it.',
  })
}

function swept(from: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'not_found',
    message: `the copy of the files that are to be bound is gone: ${from}`,
    suggestion: 'apply the newest revision: tend sync lays them down anew',
  })
}
