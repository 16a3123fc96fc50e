/** Files that containers may write: put there once, and again only when the snapshot has another version of them. */
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, fchmodSync, fchownSync, lstatSync, openSync } from 'node:fs'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import type { Root } from './confined.ts'
import { inFolder } from './descend.ts'
import { filesBelow, modeOf } from './placed-copy.ts'
import { defined } from '#model/defined.ts'

type Seeded = Readonly<Record<string, string>>

/** What a container wrote stays until the snapshot itself changes that file; what it does not hold is never touched. */
export function seed(
  root: string,
  names: readonly string[],
  snapshot: Root,
  source: string | undefined,
): void {
  if (source === undefined) return inFolder(root, names, () => {})
  const files = filesBelow(snapshot, source)
  if (!files.includes('')) inFolder(root, names, () => {})
  const before = seededOf(root, names)
  const after: Record<string, string> = { ...before }
  for (const file of files) {
    const from = join(source, file)
    const content = readFileSync(from)
    const hash = createHash('sha256').update(content).digest('hex')
    const path = [...names, ...file.split('/').filter((name) => name !== '')]
    const isWritten = inFolder(root, path.slice(0, -1), (here) => {
      const target = join(here, defined(path.at(-1)))
      // a container that could write here before may have replaced the bound file by a link
      const isKept = file === '' ? isPlainFile(target) : isThere(target)
      if (before[file] === hash && isKept) return false
      write(target, content, modeOf(from))
      return true
    })
    if (isWritten) after[file] = hash
  }
  if (JSON.stringify(after) !== JSON.stringify(before)) keep(root, names, after)
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function isPlainFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** Writes to a temporary file and renames it, so that nobody sees half of it. The owner of the file stays. All by descriptor, since a container may exchange the name meanwhile. */
function write(target: string, content: Uint8Array, mode: number): void {
  const old = lstatSync(target, { throwIfNoEntry: false })
  const beside = `${target}.new-${randomBytes(6).toString('hex')}`
  try {
    const descriptor = openSync(beside, 'wx')
    try {
      writeFileSync(descriptor, content)
      fchmodSync(descriptor, mode)
      if (old !== undefined && process.getuid?.() === 0) fchownSync(descriptor, old.uid, old.gid)
    } finally {
      closeSync(descriptor)
    }
    renameSync(beside, target)
  } finally {
    rmSync(beside, { force: true })
  }
}

function recordName(names: readonly string[]): string {
  return `${createHash('sha256').update(names.join('/')).digest('hex').slice(0, 24)}.json`
}

function seededOf(root: string, names: readonly string[]): Seeded {
  return inFolder(root, ['.seeded'], (here) => {
    try {
      return JSON.parse(readFileSync(join(here, recordName(names)), 'utf8'))
    } catch {
      // nothing was laid there yet
      return {}
    }
  })
}

function keep(root: string, names: readonly string[], seeded: Seeded): void {
  inFolder(root, ['.seeded'], (here) => {
    write(join(here, recordName(names)), Buffer.from(JSON.stringify(seeded)), 0o600)
  })
}
