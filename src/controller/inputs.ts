/** What a render read of its snapshot: while that is the same, the render is, whatever else a commit changed. */
import { createHash } from 'node:crypto'
import type { Tree } from '#model/tree.ts'

export type Inputs = {
  /** Of all else that it depends on: the declaration, the program. */
  readonly about: string
  /** Hashes of the files that were read; '' for those that were not there. */
  readonly files: Readonly<Record<string, string>>
  /** Hashes of the lists of folders that were asked for. */
  readonly folders: Readonly<Record<string, string>>
  /** Whether a path that was asked for is a folder. */
  readonly places: Readonly<Record<string, boolean>>
}

export type Witness = {
  readonly tree: Tree
  readonly isFolder: (path: string) => boolean
  inputs(about: string): Inputs
}

export function witnessed(tree: Tree): Witness {
  const files: Record<string, string> = {}
  const folders: Record<string, string> = {}
  const places: Record<string, boolean> = {}
  return {
    tree: {
      root: tree.root,
      list(folder) {
        folders[folder] ??= listHash(tree, folder)
        return tree.list(folder)
      },
      read(path) {
        const content = tree.read(path)
        files[path] ??= fileHash(tree, path)
        return content
      },
    },
    isFolder: (path) => (places[path] ??= isFolder(tree, path)),
    inputs: (about) => ({ about, files, folders, places }),
  }
}

export function stillHold(inputs: Inputs, about: string, tree: Tree): boolean {
  if (inputs.about !== about) return false
  try {
    return (
      Object.entries(inputs.files).every(([path, hash]) => fileHash(tree, path) === hash) &&
      Object.entries(inputs.folders).every(([folder, hash]) => listHash(tree, folder) === hash) &&
      Object.entries(inputs.places).every(([path, is]) => isFolder(tree, path) === is)
    )
  } catch {
    // the render tells what is wrong with it
    return false
  }
}

/** Many applications read the same files of one snapshot. */
const known = new WeakMap<Tree, Map<string, string>>()

const foldersOf = new WeakMap<Tree, ReadonlySet<string>>()

/** Told by the paths of its files, read once. */
function isFolder(tree: Tree, path: string): boolean {
  let folders = foldersOf.get(tree)
  if (folders === undefined) {
    const found = new Set([''])
    for (const file of tree.list('')) {
      for (let at = file.indexOf('/'); at >= 0; at = file.indexOf('/', at + 1))
        found.add(file.slice(0, at))
    }
    foldersOf.set(tree, (folders = found))
  }
  return folders.has(path)
}

/** Hashes that were found in one tree serve for the same files of another of the same source. */
export function inherit(from: Tree, to: Tree): void {
  const { idOf } = to
  const before = known.get(from)
  if (before === undefined || from.idOf === undefined || idOf === undefined) return
  const hashes = new Map<string, string>()
  const hasSameNames = from.list('').join('\n') === to.list('').join('\n')
  for (const [key, hash] of before) {
    const path = key.slice(key.indexOf(' ') + 1)
    const isSame = key.startsWith('list ') ? hasSameNames : from.idOf(path) === idOf(path)
    if (isSame) hashes.set(key, hash)
  }
  known.set(to, hashes)
  const folders = foldersOf.get(from)
  if (hasSameNames && folders !== undefined) foldersOf.set(to, folders)
}

/** Without reading it where its hash is known. */
export function isFile(tree: Tree, path: string): boolean {
  return fileHash(tree, path) !== ''
}

function fileHash(tree: Tree, path: string): string {
  return remembered(tree, `file ${path}`, () => {
    const content = tree.read(path)
    return content === undefined ? '' : shortHash(content)
  })
}

function listHash(tree: Tree, folder: string): string {
  return remembered(tree, `list ${folder}`, () => shortHash(tree.list(folder).join('\n')))
}

function remembered(tree: Tree, key: string, make: () => string): string {
  const hashes = known.get(tree) ?? new Map<string, string>()
  known.set(tree, hashes)
  const found = hashes.get(key) ?? make()
  hashes.set(key, found)
  return found
}

function shortHash(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 20)
}

/** A folder of a tree as a tree of its own. */
export function treeBelow(tree: Tree, folder: string): Tree {
  if (folder === '') return tree
  return {
    root: `${tree.root}/${folder}`,
    list: (path) =>
      tree
        .list(path === '' ? folder : `${folder}/${path}`)
        .map((file) => file.slice(folder.length + 1)),
    read: (path) => tree.read(`${folder}/${path}`),
  }
}
