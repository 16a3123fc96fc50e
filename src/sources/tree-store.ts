/** Folders with the files of revisions: each is there whole or not at all, and one that was harmed is made again. */
import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './confined.ts'

export type Kept = {
  readonly folder: string
  readonly message: string
  readonly at: number
  /** Paths of files that are in the revision but not in the folder: too large, or not nameable here. */
  readonly omitted: readonly string[]
}

type About = Omit<Kept, 'folder'> & { readonly shape: string }

export type TreeStore = {
  /** Undefined: not there, or not as it was left. */
  find(revision: string): Promise<Kept | undefined>
  /** `write` fills an empty folder. */
  put(revision: string, write: (folder: string) => Promise<Omit<Kept, 'folder'>>): Promise<Kept>
  /** The last used first. */
  revisions(): Promise<readonly string[]>
  /** What others used within the last hour stays. */
  keepOnly(revisions: ReadonlySet<string>): Promise<void>
}

const anHour = 60 * 60 * 1000

export function treeStore(root: string): TreeStore {
  const checked = new Set<string>()

  async function find(revision: string): Promise<Kept | undefined> {
    const folder = join(root, revision)
    const about = await aboutOf(join(root, `${revision}.json`))
    if (about === undefined) return undefined
    if (!checked.has(revision) && shapeOf(folder) !== about.shape) return undefined
    checked.add(revision)
    const now = new Date()
    await utimes(join(root, `${revision}.json`), now, now)
    return { folder, message: about.message, at: about.at, omitted: about.omitted }
  }

  async function put(revision: string, write: Parameters<TreeStore['put']>[1]): Promise<Kept> {
    const folder = join(root, revision)
    const making = join(root, `.new-${randomBytes(6).toString('hex')}`)
    await mkdir(making, { recursive: true })
    try {
      const about = await write(making)
      const text = JSON.stringify({ ...about, shape: shapeOf(making) ?? '' } satisfies About)
      await drop(revision)
      await rename(making, folder)
      await writeFile(join(root, `${revision}.json.new`), text)
      await rename(join(root, `${revision}.json.new`), join(root, `${revision}.json`))
      checked.add(revision)
      return { folder, ...about }
    } finally {
      await rm(making, { recursive: true, force: true })
    }
  }

  async function drop(revision: string): Promise<void> {
    checked.delete(revision)
    await rm(join(root, `${revision}.json`), { force: true })
    await rm(join(root, revision), { recursive: true, force: true })
  }

  async function revisions(): Promise<readonly string[]> {
    const names = (await namesIn(root)).filter((name) => name.endsWith('.json'))
    const aged = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(root, name))).mtimeMs })),
    )
    return aged.toSorted((a, b) => b.at - a.at).map(({ name }) => name.slice(0, -5))
  }

  async function keepOnly(kept: ReadonlySet<string>): Promise<void> {
    for (const name of await namesIn(root)) {
      const revision = name.replace(/\.json(\.new)?$/, '')
      if (kept.has(revision) || (!checked.has(revision) && (await isRecent(join(root, name)))))
        continue
      await rm(join(root, name), { recursive: true, force: true })
    }
    for (const revision of checked) if (!kept.has(revision)) checked.delete(revision)
  }

  return { find, put, revisions, keepOnly }
}

async function isRecent(path: string): Promise<boolean> {
  const about = await stat(`${path.replace(/\.json$/, '')}.json`).catch(() => stat(path))
  return Date.now() - about.mtimeMs < anHour
}

async function aboutOf(path: string): Promise<About | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Names, kinds and sizes: enough to see that something is gone or cut, without reading it all. */
function shapeOf(folder: string): string | undefined {
  const hash = createHash('sha256')
  function visit(inside: string): void {
    const entries = readdirSync(join(folder, inside), { withFileTypes: true })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(inside, entry.name)
      if (entry.isDirectory()) visit(path)
      else hash.update(`${path}\0${lstatSync(join(folder, path)).size}\0`)
    }
  }
  try {
    visit('')
    return hash.digest('hex')
  } catch {
    return undefined
  }
}
