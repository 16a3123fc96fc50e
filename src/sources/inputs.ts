/** What a render read of its snapshot: while that is the same, the render is, whatever else a commit changed. */
import { createHash } from 'node:crypto'
import { normalize } from 'node:path/posix'
import type { Tree } from '#model/tree.ts'
import { yieldToEventLoop } from '#model/yield-to-event-loop.ts'

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
  /** What was asked and found so far. */
  lines(): string
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
    lines: () => linesOf(found).join('\n'),
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

/** `unsure`: a file is too large to be read here, where others wait. */
export async function stillHold(
  inputs: Inputs,
  about: string,
  tree: Tree,
): Promise<boolean | 'unsure'> {
  return inputs.about === about && linesStillHold(inputs.read, tree, largestHere)
}

/** What the service itself reads at once: ten milliseconds' worth. */
const largestHere = 4 * 1024 ** 2

export async function linesStillHold(
  read: string,
  tree: Tree,
  largest = Infinity,
): Promise<boolean | 'unsure'> {
  const breathe = yieldToEventLoop()
  try {
    for (const line of read.split('\n')) {
      if (line === '') continue
      const answer = holds(line, tree, largest)
      if (answer !== true) return answer
      await breathe()
    }
    return true
  } catch {
    // the render tells what is wrong with it
    return false
  }
}

function holds(line: string, tree: Tree, largest: number): boolean | 'unsure' {
  const { question, answer, path } = partsOf(line)
  if (!isQuestion(question)) return false
  const isRead = question === 'file' || question === 'absent'
  const isKnown = known.get(tree)?.has(`file ${path}`) === true
  if (isRead && !isKnown && (tree.sizeOf?.(path) ?? 0) > largest) return 'unsure'
  return questions[question](tree, path) === answer
}

/** What another process found in a tree need not be looked for in it again. */
export function learn(tree: Tree, read: string): void {
  const hashes = known.get(tree) ?? new Map<string, string>()
  known.set(tree, hashes)
  for (const line of read.split('\n')) {
    if (line === '') continue
    const { question, answer, path } = partsOf(line)
    if (question === 'file' || question === 'list') hashes.set(`${question} ${path}`, answer)
    else if (question === 'absent') hashes.set(`file ${path}`, '')
  }
}

function partsOf(line: string): {
  readonly question: string
  readonly answer: string
  readonly path: string
} {
  const [question, rest] = cut(line)
  const [answer, path] = cut(rest)
  return { question, answer, path: JSON.parse(path) }
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

const filesIn = new WeakMap<Tree, ReadonlySet<string>>()

/** Told by the list of files, read once: whether it can be read its render tells. */
export function hasFile(tree: Tree, path: string): boolean {
  const files = filesIn.get(tree) ?? new Set(tree.list(''))
  filesIn.set(tree, files)
  return files.has(normalize(path))
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
