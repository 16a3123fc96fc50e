/** A directory as a repository: its revision is a hash over its files, and a snapshot is a copy that nobody changes. */
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { Problem } from '#model/problem.ts'
import type { Repository, Snapshot } from '#model/source.ts'
import type { Tree } from '#model/tree.ts'
import { yieldToEventLoop } from '#model/yield-to-event-loop.ts'
import { directoryTree, listedTree } from './directory.ts'
import { withLock } from './lock.ts'
import { revisionInTurns } from './revision.ts'
import { treeStore, type KeptTree } from './tree-store.ts'

type DirectoryOptions = {
  readonly path: string
  /** One folder for the copies of all directories. */
  readonly cache: string
  readonly mostFiles?: number
  readonly largestFile?: number
  /** Of all files together. A container may write there. */
  readonly mostBytes?: number
}

/** Every ref of a directory is what is in it now. */
export function directoryRepository(options: DirectoryOptions): Repository {
  const { path } = options
  const limits = {
    mostFiles: options.mostFiles ?? 20_000,
    largestFile: options.largestFile ?? 50 * 1024 ** 2,
    hasIgnoreFile: false,
    skipsBadLinks: true,
    keepsContents: false,
  }
  const mostBytes = options.mostBytes ?? 1024 ** 3
  const home = join(options.cache, `directory-${hashOf(path).slice(0, 12)}`)
  const trees = treeStore(join(home, 'trees'))
  let known: { readonly signs: string; readonly revision: string } | undefined

  function live(): Tree {
    return directoryTree(path, limits)
  }

  /** Contents are read again only when a name, a size, a time or a place on the disk has changed. */
  async function revisionNow(): Promise<string> {
    const tree = live()
    const { signs, bytes } = await signsOf(path, tree)
    if (bytes > mostBytes) throw tooMuch(path, bytes, mostBytes)
    if (known?.signs !== signs) known = { signs, revision: await revisionInTurns(tree) }
    return known.revision
  }

  async function latest(refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const revision = await revisionNow()
    return new Map(refs.map((ref) => [ref, revision]))
  }

  async function snapshot(revision: string, _ref: string, signal: AbortSignal): Promise<Snapshot> {
    const kept =
      (await trees.find(revision)) ??
      (await withLock(home, signal, async () => (await trees.find(revision)) ?? make(revision)))
    const tree = await listedTree(kept.folder, { ...limits, shown: path })
    return { revision, message: '', at: 0, tree, folder: kept.folder }
  }

  /** Copies exactly what was read for the revision: what changed in between is found, and nothing of it stays. */
  function make(revision: string): Promise<KeptTree> {
    return trees.put(revision, {
      async write(folder) {
        const tree = live()
        const written = await revisionInTurns(tree, (file, content) =>
          copy(path, file, content, folder),
        )
        if (written !== revision) throw changed(path, revision)
        for (const link of tree.badLinks?.() ?? []) placeBadLink(folder, link)
        return { message: '', at: 0, omitted: [] }
      },
    })
  }

  return { shown: path, latest, snapshot, keepOnly: (revisions) => trees.keepOnly(revisions) }
}

function copy(root: string, file: string, content: Uint8Array, folder: string): void {
  const target = join(folder, file)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, content)
  chmodSync(target, isProgram(join(root, file)) ? 0o755 : 0o644)
}

/** In the copy such a link leads nowhere: only that it was there is kept. */
function placeBadLink(folder: string, link: string): void {
  mkdirSync(dirname(join(folder, link)), { recursive: true })
  symlinkSync('.led-nowhere', join(folder, link))
}

function isProgram(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0
}

async function signsOf(root: string, tree: Tree): Promise<{ signs: string; bytes: number }> {
  const breathe = yieldToEventLoop()
  const hash = createHash('sha256')
  let bytes = 0
  for (const file of tree.list('')) {
    await breathe()
    const found = statSync(join(root, file), { bigint: true, throwIfNoEntry: false })
    const { size, mtimeNs, ctimeNs, ino } = found ?? { size: 0n, mtimeNs: 0n, ctimeNs: 0n, ino: 0n }
    bytes += Number(size)
    hash.update(`${file}\0${size} ${mtimeNs} ${ctimeNs} ${ino}\0`)
  }
  for (const link of tree.badLinks?.() ?? []) hash.update(`${link}\0link\0`)
  return { signs: hash.digest('hex'), bytes }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function tooMuch(path: string, bytes: number, most: number): Problem {
  const [has, limit] = [Math.ceil(bytes / 1024 ** 2), Math.floor(most / 1024 ** 2)]
  return new Problem({
    type: 'runtime',
    code: 'git_error',
    message: `${path} has files of ${has} MB, more than the limit of ${limit} MB`,
    suggestion: 'Keep what containers write in named volumes, or in another folder.',
  })
}

function changed(path: string, revision: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'git_error',
    message: `${path} is no longer as it was at revision ${revision}`,
    suggestion: 'Look again: its newest revision can be had.',
    recoverable: true,
  })
}
