/** A repository in memory: what is put into it is its next commit. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Problem } from '#model/problem.ts'
import type { Repository, Snapshot } from '#model/source.ts'
import type { Tree } from '#model/tree.ts'

export type Files = Readonly<Record<string, string>>

export type FakeRepository = Repository & {
  /** Gives the revision. */
  commit(files: Files, message?: string): string
  /** Why nobody gets an answer. */
  trouble: string | undefined
  /** How often it was asked. */
  readonly asked: { latest: number; snapshot: number }
}

/** `folder`: files of commits are written below it. */
export function fakeRepository(folder: string, shown = 'https://git.test/shop'): FakeRepository {
  const snapshots = new Map<string, Snapshot>()
  let newest = ''
  const asked = { latest: 0, snapshot: 0 }
  const repository: FakeRepository = {
    shown,
    asked,
    trouble: undefined,
    commit(files, message = 'a change') {
      const count = String(snapshots.size)
      newest = createHash('sha1')
        .update(`${count} ${JSON.stringify(files)}`)
        .digest('hex')
      const home = join(folder, newest)
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(home, name)), { recursive: true })
        writeFileSync(join(home, name), text)
      }
      snapshots.set(newest, { revision: newest, message, at: 0, tree: treeOf(files), folder: home })
      return newest
    },
    async latest(refs) {
      asked.latest += 1
      if (repository.trouble !== undefined) throw broken(repository.trouble)
      return new Map(refs.map((ref) => [ref, newest === '' ? undefined : newest]))
    },
    async snapshot(revision) {
      asked.snapshot += 1
      const found = snapshots.get(revision)
      if (found === undefined) throw broken('no such commit')
      return found
    },
    keepOnly: async () => undefined,
  }
  return repository
}

export function treeOf(files: Files): Tree {
  const names = Object.keys(files).toSorted()
  return {
    root: 'repository',
    list: (folder) =>
      folder === '' ? names : names.filter((name) => name.startsWith(`${folder}/`)),
    read: (path) => (files[path] === undefined ? undefined : new TextEncoder().encode(files[path])),
  }
}

function broken(message: string): Problem {
  return new Problem({ type: 'runtime', code: 'git_error', message, recoverable: true })
}
