/** Folders with the files of revisions: each is there whole or not at all, and one that was harmed is made again. */
import { createHash, randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import {
  mkdir,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { yieldToEventLoop, piecesOf, sortedInTurns } from '#model/yield-to-event-loop.ts'
import { codeOf } from './confined.ts'

export type KeptTree = {
  readonly folder: string
  readonly message: string
  readonly author?: string
  readonly at: number
  /** Paths of files that are in the revision but not in the folder: too large, or not nameable here. */
  readonly omitted: readonly string[]
}

type Written = Omit<KeptTree, 'folder'>
type About = Written & { readonly shape: string }

/** Fills the folder of a revision. */
export type Writing = {
  /** Writes into an empty folder. */
  write(folder: string): Promise<Written>
  /** Changes a folder that holds the files of another revision, and gives the shape that it then has. Where this fails everything is written anew. */
  change?(folder: string, from: string): Promise<About>
}

type TreeStore = {
  /** Undefined: the folder is not there, or not as it was left. */
  find(revision: string): Promise<KeptTree | undefined>
  put(revision: string, writing: Writing): Promise<KeptTree>
  /** The revisions, the last used one first. */
  revisions(): Promise<readonly string[]>
  /** What others used within the last hour stays. One of the others is laid by, to make the next from: folders are dear. */
  keepOnly(revisions: ReadonlySet<string>): Promise<void>
}

const anHour = 60 * 60 * 1000
const spareMark = '.spare-'

export function treeStore(root: string): TreeStore {
  const checked = new Set<string>()

  async function find(revision: string): Promise<KeptTree | undefined> {
    const folder = join(root, revision)
    const about = await aboutOf(join(root, `${revision}.json`))
    if (about === undefined) return undefined
    if (!checked.has(revision) && (await shapeIn(folder)) !== about.shape) return undefined
    checked.add(revision)
    const now = new Date()
    await utimes(join(root, `${revision}.json`), now, now)
    const { shape: _shape, ...kept } = about
    return { folder, ...kept }
  }

  async function put(revision: string, writing: Writing): Promise<KeptTree> {
    const folder = join(root, revision)
    const making = join(root, `.new-${randomBytes(6).toString('hex')}`)
    try {
      const { shape, ...about } =
        (await changed(making, writing)) ?? (await fromNothing(making, writing))
      await drop(revision)
      await rename(making, folder)
      await writeFile(join(root, `${revision}.json.new`), JSON.stringify({ ...about, shape }))
      await rename(join(root, `${revision}.json.new`), join(root, `${revision}.json`))
      checked.add(revision)
      return { folder, ...about }
    } finally {
      await rm(making, { recursive: true, force: true })
    }
  }

  async function fromNothing(making: string, writing: Writing): Promise<About> {
    await rm(making, { recursive: true, force: true })
    await mkdir(making, { recursive: true })
    const about = await writing.write(making)
    return { ...about, shape: (await shapeIn(making)) ?? '' }
  }

  async function changed(making: string, writing: Writing): Promise<About | undefined> {
    const spare = (await namesIn(root)).find((name) => name.startsWith(spareMark))
    if (spare === undefined || writing.change === undefined) return undefined
    try {
      await rename(join(root, spare), making)
      const about = await writing.change(making, spare.slice(spareMark.length))
      return (await shapeIn(making)) === about.shape ? about : undefined
    } catch {
      // a tree that can't be changed into the new one is written whole
      return undefined
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
      if (kept.has(revision) || name.startsWith(spareMark)) continue
      if (!checked.has(revision) && (await isRecent(join(root, name)))) continue
      if (checked.has(name)) await layBy(name)
      else await rm(join(root, name), { recursive: true, force: true })
    }
    for (const revision of checked) if (!kept.has(revision)) checked.delete(revision)
  }

  async function layBy(revision: string): Promise<void> {
    const others = (await namesIn(root)).filter((name) => name.startsWith(spareMark))
    for (const name of others) await rm(join(root, name), { recursive: true, force: true })
    await rename(join(root, revision), join(root, `${spareMark}${revision}`))
  }

  return { find, put, revisions, keepOnly }
}

async function isRecent(path: string): Promise<boolean> {
  // a tree whose description is not written yet is as old as its folder
  const about = await stat(`${path.replace(/\.json$/, '')}.json`).catch(() => stat(path))
  return Date.now() - about.mtimeMs < anHour
}

async function aboutOf(path: string): Promise<About | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    // without its description a tree is not whole: it is made again
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

/** Names and sizes: enough to see that something is gone or cut, without reading it all. */
export async function shapeOf(
  files: readonly (readonly [path: string, size: number])[],
): Promise<string> {
  const breathe = yieldToEventLoop()
  const lines: string[] = []
  for (const piece of piecesOf(files)) {
    for (const [path, size] of piece) lines.push(`${path}\0${size}\0`)
    await breathe()
  }
  const hash = createHash('sha256')
  for (const piece of piecesOf(await sortedInTurns(lines, breathe))) {
    hash.update(piece.join(''))
    await breathe()
  }
  return hash.digest('hex')
}

async function shapeIn(folder: string): Promise<string | undefined> {
  const files: [string, number][] = []
  const breathe = yieldToEventLoop()
  async function visit(inside: string): Promise<void> {
    // one by one, since the list of a large folder is long in the making
    for await (const entry of await opendir(join(folder, inside), { bufferSize: 500 })) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`
      if (entry.isDirectory()) await visit(path)
      else {
        files.push([path, lstatSync(`${folder}/${path}`).size])
        await breathe()
      }
    }
  }
  try {
    await visit('')
    return await shapeOf(files)
  } catch {
    // what can't be read has no shape, so it equals no other tree
    return undefined
  }
}
