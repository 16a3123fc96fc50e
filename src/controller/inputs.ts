/** What a render read of its snapshot: while that is the same, the render is, whatever else a commit changed. */
import { createHash } from 'node:crypto'
import type { Tree } from '#model/tree.ts'

export type Inputs = {
  /** Of all else that it depends on: the declaration, the program. */
  readonly about: string
  /**
   * What was asked for and what was found, a line each: the hash of a file, of the list of a folder, whether a path is a folder.
   * One text, because a service holds those of a thousand applications.
   */
  readonly read: string
}

export type Witness = {
  readonly tree: Tree
  readonly isFolder: (path: string) => boolean
  inputs(about: string): Inputs
}

/** What can be asked of a path. `absent`: it is neither a file nor a folder. */
const questions = {
  file: fileHash,
  list: listHash,
  folder: (tree: Tree, path: string) => String(isFolder(tree, path)),
  absent: (tree: Tree, path: string) =>
    fileHash(tree, path) === '' && !isFolder(tree, path) ? '' : 'there',
} as const

type Question = keyof typeof questions

export function witnessed(tree: Tree): Witness {
  const found = new Map<string, string>()
  function note(question: Question, path: string): string {
    const key = `${question} ${path}`
    const answer = found.get(key) ?? questions[question](tree, path)
    found.set(key, answer)
    return answer
  }
  return {
    tree: {
      root: tree.root,
      list(folder) {
        note('list', folder)
        return tree.list(folder)
      },
      read(path) {
        const content = tree.read(path)
        note('file', path)
        return content
      },
    },
    isFolder: (path) => note('folder', path) === 'true',
    inputs: (about) => ({ about, read: linesOf(found).join('\n') }),
  }
}

function linesOf(found: ReadonlyMap<string, string>): readonly string[] {
  const lines: string[] = []
  for (const [key, answer] of found) {
    const [question, path] = cut(key)
    const isAbsent = found.get(`file ${path}`) === '' && found.get(`folder ${path}`) === 'false'
    if (!isAbsent || question === 'list')
      lines.push(`${question} ${answer} ${JSON.stringify(path)}`)
    else if (question === 'file') lines.push(`absent  ${JSON.stringify(path)}`)
  }
  return lines
}

/** At the first space. */
function cut(text: string): readonly [string, string] {
  const at = text.indexOf(' ')
  return [text.slice(0, at), text.slice(at + 1)]
}

export function stillHold(inputs: Inputs, about: string, tree: Tree): boolean {
  if (inputs.about !== about) return false
  try {
    return inputs.read.split('\n').every((line) => line === '' || holds(line, tree))
  } catch {
    // the render tells what is wrong with it
    return false
  }
}

function holds(line: string, tree: Tree): boolean {
  const [question, rest] = cut(line)
  const [answer, path] = cut(rest)
  return isQuestion(question) && questions[question](tree, JSON.parse(path)) === answer
}

function isQuestion(word: string): word is Question {
  return Object.hasOwn(questions, word)
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
