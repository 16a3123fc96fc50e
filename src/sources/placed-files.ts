/** Lays down the files of a snapshot that containers bind: the same path for the same content, or a stable one that stays theirs. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, normalize, relative } from 'node:path/posix'
import { factsOf, Problem, type Place } from '#model/problem.ts'
import { resolved, type Root } from './confined.ts'
import { withLock } from './lock.ts'
import { copyInto, filesBelow, realFolder } from './placed-copy.ts'
import { seed } from './placed-seeds.ts'
import { defined } from '#model/defined.ts'

export type Placed = {
  /** The path below the root, as this machine sees it; for a file that nobody writes `ROOT/HASH/NAME`. */
  readonly hostPath: string
  /** A file or a folder of the snapshot. */
  readonly path: string
  readonly isWritable: boolean
  /** The line of the declaration that asks for the file. */
  readonly at?: Place | undefined
}

/** A file beside the copy, out of a container's sight. A folder that holds it was made here and may be swept. */
const mark = '.placed'
const anHour = 60 * 60 * 1000

/** What is laid down is whole at any moment; a writable folder is filled file by file and never emptied. */
export async function layDown(
  root: string,
  { shown, folder }: { readonly shown: string; readonly folder: string },
  placed: readonly Placed[],
  signal: AbortSignal,
): Promise<void> {
  if (placed.length === 0) return
  mkdirSync(root, { recursive: true })
  const snapshot = { ...realFolder(folder), shown }
  await withLock(root, signal, async () => {
    for (const one of placed) {
      signal.throwIfAborted()
      try {
        layOne(root, snapshot, one)
      } catch (error) {
        const { at } = one
        if (!(error instanceof Problem) || error.at !== undefined || at === undefined) throw error
        throw new Problem({ ...factsOf(error), at })
      }
    }
  })
}

function layOne(root: string, snapshot: Root, { hostPath, path, isWritable }: Placed): void {
  const names = insideOf(root, hostPath)
  const source = resolved(snapshot, path)
  if (isWritable) seed(root, names, snapshot, source)
  else if (source === undefined) throw notThere(snapshot.shown, path)
  else place(root, names, filesBelow(snapshot, source), source)
}

/** Removes copies that nobody needed for an hour and `keep` does not name. */
export async function sweep(
  root: string,
  keep: ReadonlySet<string>,
  now: number = Date.now(),
): Promise<void> {
  if (!existsSync(root)) return
  const needed = new Set([...keep].flatMap((path) => relative(root, path).split('/')[0] ?? []))
  await withLock(root, new AbortController().signal, async () => {
    for (const entry of readdirSync(root, { withFileTypes: true })) {
      const path = join(root, entry.name)
      if (!entry.isDirectory() || needed.has(entry.name)) continue
      const sign = entry.name.startsWith('.new-') ? path : join(path, mark)
      const at = statSync(sign, { throwIfNoEntry: false })?.mtimeMs
      if (at !== undefined && now - at > anHour) remove(root, path)
    }
  })
}

/** Renames the copy first, so that half of it is never found under its name. */
function remove(root: string, path: string): void {
  const going = temporary(root)
  renameSync(path, going)
  rmSync(going, { recursive: true, force: true })
}

function place(
  root: string,
  names: readonly string[],
  files: readonly string[],
  source: string,
): void {
  const [hash, name] = names
  if (hash === undefined || name === undefined || names.length !== 2) throw misplaced(root, names)
  const folder = join(root, hash)
  const target = join(folder, name)
  mkdirSync(folder, { recursive: true })
  // anew each time: it is the time of the last need
  writeFileSync(join(folder, mark), '')
  utimesSync(join(folder, mark), new Date(), new Date())
  if (existsSync(target)) return
  const making = temporary(root)
  mkdirSync(making)
  try {
    const copy = join(making, basename(target))
    copyInto(files, source, copy)
    renameSync(copy, target)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

function temporary(root: string): string {
  return join(root, `.new-${randomBytes(6).toString('hex')}`)
}

/** The names of the folders from the root to the file. */
function insideOf(root: string, hostPath: string): readonly string[] {
  const inside = relative(normalize(root), normalize(hostPath))
  const names = inside.split('/')
  const isReserved =
    defined(names[0]).startsWith('.') || names[0] === 'lock' || names.includes(mark)
  if (!hostPath.startsWith('/') || inside === '' || names.includes('..') || isReserved) {
    throw misplaced(root, [hostPath])
  }
  return names
}

function misplaced(root: string, names: readonly string[]): Problem {
  return new Problem({
    type: 'runtime',
    code: 'bug',
    message: `${names.join('/')} is no place for a file below ${root}`,
  })
}

function notThere(folder: string, path: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `${path} is bound, but is not in ${basename(dirname(folder))}/${basename(folder)}`,
    suggestion: 'Commit it, or correct the path of the bind.',
  })
}
