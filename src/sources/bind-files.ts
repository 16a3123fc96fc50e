/** Where the files of snapshots lie for containers that bind them: by content where they are only read, else by application. */
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { layDown, sweep } from './placed-files.ts'
import type { BindFile, BindFiles } from '#model/bind-files.ts'
import type { Tree } from '#model/tree.ts'

/** `folder` is on this machine; the engine sees it as `seenAs`. */
export function bindFilesIn(folder: string, seenAs = folder, home = folder): BindFiles {
  return {
    folder,
    seenAs,
    home,
    pathOf: (wanted, tree) => join(seenAs, placeOf(wanted, tree).inside),
    ownPathOf: (wanted, tree) => join(folder, placeOf(wanted, tree).inside),
    async lay(wanted, snapshot, signal) {
      const placed = wanted.map((one) => {
        const { inside, stays } = placeOf(one, snapshot.tree)
        return { hostPath: join(folder, inside), path: one.path, isWritable: stays, at: one.at }
      })
      const from = { shown: snapshot.tree.root, folder: snapshot.folder }
      await layDown(folder, from, placed, signal)
    },
    sweep: async (texts, now) => sweep(folder, await namedIn(texts, folder, seenAs), now),
  }
}

/** Finds the copies that a text names by either of their two paths. */
async function namedIn(
  texts: AsyncIterable<string>,
  ...roots: readonly string[]
): Promise<ReadonlySet<string>> {
  const [folder = ''] = roots
  const named = new Set<string>()
  for await (const text of texts) {
    for (const root of roots) {
      const start = join(root, '/')
      for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
        const [name = ''] =
          /^[^/"\s]*/.exec(text.slice(at + start.length, at + start.length + 64)) ?? []
        if (name !== '') named.add(join(folder, name))
      }
    }
  }
  return named
}

/** The folder of an application, in which lies what its containers may write. */
export function folderOf(key: string): string {
  return `app-${nameOf(key)}`
}

function nameOf(key: string): string {
  return key.replaceAll(/[:/]/g, '-')
}

/** No container may write what is in here: the confinement refuses a bind of the folder above it. */
const keptFolder = '.kept'
/** The folder in which Compose files lay in earlier versions. No folder of an application may have its name. */
const formerSources = '.source'
const ownNames: ReadonlySet<string> = new Set([keptFolder, `${keptFolder}-before`, formerSources])

/**
 * Compose files as they were applied, for whoever follows a label to them. Beside the application's folder and not in it: a stack at
 * the root of its repository may bind all of that folder, and would write what its own labels vouch for.
 */
function sourcesOf(key: string): string {
  return `applied-${nameOf(key)}`
}

/** A folder of the repository that is called as one of ours gets another name here, so that no container can have ours. */
function notOurs(path: string): string {
  const [first = '', ...rest] = path.split('/')
  return ownNames.has(first) ? [`${first}.of-repository`, ...rest].join('/') : path
}

/** A file that a container writes, or that is not in the snapshot, has a path that stays the same. */
function placeOf(
  { key, path, isWritable, isKept, isSource }: BindFile,
  tree: Tree,
): { readonly inside: string; readonly stays: boolean } {
  if (isSource === true) return { inside: join(sourcesOf(key), path), stays: true }
  if (isKept === true) return { inside: join(folderOf(key), keptFolder, path), stays: true }
  const files = filesAt(tree, path)
  if (isWritable || files.length === 0) {
    return { inside: join(folderOf(key), notOurs(path)), stays: true }
  }
  const hash = createHash('sha256')
  for (const file of files) {
    const content = tree.read(file) ?? new Uint8Array()
    hash.update(`${Buffer.byteLength(file)}:${file}:${content.length}:`).update(content)
  }
  const name = path === '' ? 'all' : basename(path)
  return { inside: join(hash.digest('hex').slice(0, 16), name), stays: false }
}

/** The file itself, or all files below the folder. */
function filesAt(tree: Tree, path: string): readonly string[] {
  const below = tree.list(path)
  if (below.length > 0) return below
  return path !== '' && tree.read(path) !== undefined ? [path] : []
}
