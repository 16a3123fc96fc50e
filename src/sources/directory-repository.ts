/** A directory as a repository: its revision is a hash over its files, and a snapshot is a copy that nobody changes. */
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { Problem } from '#model/problem.ts'
import type { Repository, Snapshot } from '#model/source.ts'
import type { Tree } from '#model/tree.ts'
import { directoryTree, listedTree } from './directory.ts'
import { withLock } from './lock.ts'
import { revisionOf } from './revision.ts'
import { treeStore, type KeptTree } from './tree-store.ts'

type DirectoryOptions = {
  readonly path: string
  /** One folder for the copies of all directories. */
  readonly cache: string
  readonly mostFiles?: number
  readonly largestFile?: number
}

/** Every ref of a directory is what is in it now. */
export function directoryRepository(options: DirectoryOptions): Repository {
  const { path } = options
  const limits = {
    mostFiles: options.mostFiles ?? 20_000,
    largestFile: options.largestFile ?? 50 * 1024 ** 2,
    hasIgnoreFile: false,
    skipsBadLinks: true,
  }
  const home = join(options.cache, `directory-${hashOf(path).slice(0, 12)}`)
  const trees = treeStore(join(home, 'trees'))
  let known: { readonly signs: string; readonly revision: string } | undefined

  function live(): Tree {
    return directoryTree(path, limits)
  }

  /** Contents are read again only when a name, a size, a time or a place on the disk has changed. */
  function revisionNow(): string {
    const tree = live()
    const signs = signsOf(path, tree)
    if (known?.signs !== signs) known = { signs, revision: revisionOf(tree) }
    return known.revision
  }

  async function latest(refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const revision = revisionNow()
    return new Map(refs.map((ref) => [ref, revision]))
  }

  async function snapshot(revision: string, _ref: string, signal: AbortSignal): Promise<Snapshot> {
    const kept =
      (await trees.find(revision)) ??
      (await withLock(home, signal, async () => (await trees.find(revision)) ?? make(revision)))
    const tree = await listedTree(kept.folder, { ...limits, shown: path, keepsContents: false })
    return { revision, message: '', at: 0, tree, folder: kept.folder }
  }

  /** Copies exactly what was read for the revision, so that nothing can change in between. */
  function make(revision: string): Promise<KeptTree> {
    const tree = live()
    if (revisionOf(tree) !== revision) throw changed(path, revision)
    return trees.put(revision, {
      async write(folder) {
        for (const file of tree.list('')) copy(path, file, tree.read(file), folder)
        for (const link of tree.badLinks?.() ?? []) placeBadLink(folder, link)
        return { message: '', at: 0, omitted: [] }
      },
    })
  }

  return { shown: path, latest, snapshot, keepOnly: (revisions) => trees.keepOnly(revisions) }
}

function copy(root: string, file: string, content: Uint8Array | undefined, folder: string): void {
  if (content === undefined) return
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

function signsOf(root: string, tree: Tree): string {
  const hash = createHash('sha256')
  for (const file of tree.list('')) {
    const found = statSync(join(root, file), { bigint: true, throwIfNoEntry: false })
    const { size, mtimeNs, ctimeNs, ino } = found ?? { size: 0n, mtimeNs: 0n, ctimeNs: 0n, ino: 0n }
    hash.update(`${file}\0${size} ${mtimeNs} ${ctimeNs} ${ino}\0`)
  }
  for (const link of tree.badLinks?.() ?? []) hash.update(`${link}\0link\0`)
  return hash.digest('hex')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
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
