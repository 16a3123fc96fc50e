/** Where the files of snapshots lie for containers that bind them: by content where they are only read, else by application. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Snapshot } from '#model/source.ts'
import type { Tree } from '#model/tree.ts'

export type Shelf = {
  /** The engine's path for a file or folder of a snapshot. Pure. */
  pathOf(wanted: Wanted, tree: Tree): string
  /** Puts it there. What is there already is left alone, save files of the snapshot in places that stay. */
  lay(wanted: Wanted, snapshot: Snapshot): Promise<void>
}

export type Wanted = {
  /** Of the application. */
  readonly key: string
  /** In the snapshot. */
  readonly path: string
  readonly isWritable: boolean
}

/** `folder` of this machine, which the engine sees as `seenAs`. */
export function shelfIn(folder: string, seenAs = folder): Shelf {
  /** Relative to the folder. */
  function placeOf({ key, path, isWritable }: Wanted, tree: Tree): string {
    const files = filesAt(tree, path)
    if (isWritable || files.length === 0) return join('apps', key.replaceAll(/[:/]/g, '-'), path)
    const hash = createHash('sha256')
    for (const file of files) {
      const content = tree.read(file) ?? new Uint8Array()
      hash.update(`${Buffer.byteLength(file)}:${file}:${content.length}:`).update(content)
    }
    return join('content', hash.digest('hex').slice(0, 16), basename(path === '' ? 'all' : path))
  }

  return {
    pathOf: (wanted, tree) => join(seenAs, placeOf(wanted, tree)),
    async lay(wanted, { tree, folder: from }) {
      const place = join(folder, placeOf(wanted, tree))
      const files = filesAt(tree, wanted.path)
      const isStaying = wanted.isWritable || files.length === 0
      if (isStaying) return layOver(place, wanted.path, files, tree, from)
      if (await isThere(place)) return
      await layAnew(place, wanted.path, files, tree, from)
    },
  }
}

/** The file itself, or all below the folder. */
function filesAt(tree: Tree, path: string): readonly string[] {
  const below = tree.list(path)
  if (below.length > 0) return below
  return path !== '' && tree.read(path) !== undefined ? [path] : []
}

/** Written beside, then put in place as a whole: nobody sees half of it. */
async function layAnew(
  place: string,
  path: string,
  files: readonly string[],
  tree: Tree,
  from: string,
): Promise<void> {
  const home = dirname(place)
  const draft = `${home}.${process.pid}-${Math.random().toString(36).slice(2)}`
  try {
    for (const file of files) {
      await write(join(draft, basename(place), file.slice(path.length)), file, tree, from)
    }
    await mkdir(dirname(home), { recursive: true })
    await rename(draft, home)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!(await isThere(place))) throw error
  }
}

/** What containers wrote there stays; the snapshot's own files are as the snapshot has them. */
async function layOver(
  place: string,
  path: string,
  files: readonly string[],
  tree: Tree,
  from: string,
): Promise<void> {
  const isFile = files.length === 1 && files[0] === path
  if (!isFile) await mkdir(place, { recursive: true })
  for (const file of files) {
    const to = isFile ? place : join(place, file.slice(path.length))
    const content = tree.read(file) ?? new Uint8Array()
    const before = await readFile(to).catch(() => undefined)
    if (before !== undefined && before.equals(content)) continue
    const draft = `${to}.tend-${process.pid}`
    await write(draft, file, tree, from)
    await rename(draft, to)
  }
}

async function write(to: string, file: string, tree: Tree, from: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  const found = await stat(join(from, file)).catch(() => undefined)
  const mode = ((found?.mode ?? 0o644) & 0o111) === 0 ? 0o644 : 0o755
  await writeFile(to, tree.read(file) ?? new Uint8Array(), { mode })
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}
