/** The files of a commit in a folder: regular files first, links last, nothing outside. */
import { mkdirSync, rmdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { contentsOf, entriesOf, idsIn, type Entry, type Store } from '#clients/git/objects.ts'
import { Problem } from '#model/problem.ts'
import { yieldToEventLoop } from '#model/yield-to-event-loop.ts'
import { shapeOf } from '../tree-store.ts'
import { fileWriter, writerHere, type Written } from './file-writer.ts'
import type { GitLimits } from './limits.ts'
import { defined } from '#model/defined.ts'

type Committed = {
  readonly store: Store
  readonly commit: string
  readonly limits: GitLimits
  readonly shown: string
}

export type LaidOut = {
  readonly omitted: readonly string[]
  /** The ids of objects that are not in the store: left out by the filter, or damaged. */
  readonly unfetched: readonly string[]
  /** Path and commit of each submodule. */
  readonly submodules: readonly (readonly [string, string])[]
  /** The names and sizes of all files, without those of submodules. */
  readonly shape: string
  /** The id of each file's content; undefined where a path may lead elsewhere or is not all there. */
  readonly ids: ReadonlyMap<string, string> | undefined
}

type File = Entry & { readonly name: string; readonly size: number }
type Contents = LaidOut & { readonly files: readonly File[] }

const atOnce = 16 * 1024 * 1024

/** Writes the files into an empty folder. */
export async function layOut(
  committed: Committed,
  folder: string,
  signal: AbortSignal,
): Promise<LaidOut> {
  const contents = await contentsIn(committed, signal)
  for (const [name] of contents.submodules) mkdirSync(join(folder, name), { recursive: true })
  await writeAll(committed, folder, contents.files, signal)
  return contents
}

/** Changes a folder that holds the files of another commit, and of no submodules. Only what differs is touched. */
export async function changeInto(
  committed: Committed,
  folder: string,
  from: string,
  signal: AbortSignal,
): Promise<LaidOut> {
  const [contents, before] = await Promise.all([
    contentsIn(committed, signal),
    idsIn(committed.store, from, signal),
  ])
  const isSame = ({ name, mode, id }: File): boolean =>
    mode !== 'link' && before.get(name) === `${mode} ${id}`
  const staying = new Set(contents.files.filter(isSame).map(({ name }) => name))
  const hasSubmodules = [...before.values()].some((one) => one.startsWith('submodule'))
  if (hasSubmodules || contents.submodules.length > 0) throw new Error('submodules are made anew')
  const breathe = yieldToEventLoop()
  for (const name of before.keys()) {
    if (!staying.has(name)) remove(folder, name)
    await breathe()
  }
  const others = contents.files.filter((file) => !staying.has(file.name))
  await writeAll(committed, folder, others, signal)
  return contents
}

/** Removes a file together with the folders that hold nothing else. */
function remove(folder: string, name: string): void {
  rmSync(join(folder, name), { force: true })
  try {
    for (let at = dirname(name); at !== '.'; at = dirname(at)) rmdirSync(join(folder, at))
  } catch {
    // something is left in it
  }
}

async function contentsIn(
  { store, commit, limits, shown }: Committed,
  signal: AbortSignal,
): Promise<Contents> {
  const entries = await entriesOf(store, commit, signal)
  const breathe = yieldToEventLoop()
  const named: (Entry & { readonly name: string | undefined })[] = []
  const files: File[] = []
  const omitted: string[] = []
  for (const { size, ...entry } of entries) {
    await breathe()
    const name = nameOf(entry.path)
    named.push({ ...entry, size, name })
    if (name !== undefined && !isInside(name)) throw harmful(shown, name)
    if (entry.mode === 'submodule') continue
    if (name === undefined) omitted.push(entry.path.toString())
    else if (size === undefined || size > limits.largestFile) omitted.push(name)
    else files.push({ ...entry, name, size })
  }
  checkSize(files, limits, shown)
  const submodules = named.flatMap(({ mode, id, name }) =>
    mode === 'submodule' && name !== undefined ? [[name, id] as const] : [],
  )
  await breathe()
  const sizes: (readonly [string, number])[] = []
  const isPlain = named.length === files.length && files.every(({ mode }) => mode !== 'link')
  const ids = new Map<string, string>()
  for (const { name, mode, id, size } of files) {
    sizes.push([name, size])
    if (isPlain) ids.set(name, `${mode} ${id}`)
    if (sizes.length % 1_000 === 0) await breathe()
  }
  const shape = await shapeOf(sizes)
  const unfetched = unfetchedOf(named)
  return { files, omitted, submodules, unfetched, shape, ids: isPlain ? ids : undefined }
}

async function writeAll(
  { store, limits, shown }: Committed,
  folder: string,
  files: readonly File[],
  signal: AbortSignal,
): Promise<void> {
  const breathe = yieldToEventLoop()
  const writer = files.length > few ? fileWriter() : writerHere(breathe)
  const links: (readonly [string, string])[] = []
  try {
    const folders = new Set(files.map(({ name }) => dirname(name)))
    await writer.makeFolders(Array.from(folders, (path) => join(folder, path)))
    for (const batch of batchesOf(files)) {
      const most = 2 * atOnce + limits.largestFile + batch.length * 128
      const ids = batch.map(({ id }) => id)
      const contents = await contentsOf(store, ids, most, signal)
      const written: Written[] = []
      for (const [i, { name, mode }] of batch.entries()) {
        const content = contents[i]
        if (content === undefined) throw incomplete(shown, name)
        if (mode === 'link') links.push([name, content.toString()])
        else written.push({ path: join(folder, name), content, mode: modes[mode] })
      }
      await writer.write(written)
      await breathe()
    }
  } finally {
    await writer.close()
  }
  // only now, so that no file can be written through one
  for (const [name, target] of links) symlinkSync(target, join(folder, name))
}

function unfetchedOf(entries: readonly Entry[]): readonly string[] {
  const lacking = entries.filter(({ mode, size }) => mode !== 'submodule' && size === undefined)
  return lacking.map(({ id }) => id)
}

/** Files that are written sooner than a thread is started. */
const few = 300
const modes = { file: 0o644, program: 0o755, submodule: 0o644 } as const

function nameOf(path: Buffer): string | undefined {
  const name = path.toString()
  return Buffer.from(name).equals(path) ? name : undefined
}

/** Git itself writes no such names; a made-up tree can hold them. */
function isInside(name: string): boolean {
  return name.split('/').every((part) => !['', '.', '..', '.git'].includes(part.toLowerCase()))
}

function checkSize(files: readonly File[], limits: GitLimits, shown: string): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const megabytes = Math.ceil(bytes / 1024 ** 2)
  if (files.length > limits.mostFiles) {
    throw tooLarge(`${shown} holds ${files.length} files, more than ${limits.mostFiles}`)
  }
  if (bytes > limits.mostBytes) {
    const most = Math.floor(limits.mostBytes / 1024 ** 2)
    throw tooLarge(`the files of ${shown} are ${megabytes} MB, more than ${most} MB`)
  }
}

function batchesOf(files: readonly File[]): readonly (readonly File[])[] {
  const batches: File[][] = []
  let bytes = Infinity
  for (const file of files) {
    if (bytes + file.size > atOnce || defined(batches.at(-1)).length >= 2000) {
      batches.push([])
      bytes = 0
    }
    defined(batches.at(-1)).push(file)
    bytes += file.size
  }
  return batches
}

function tooLarge(message: string): Problem {
  const suggestion = 'Raise the limit on size, or keep large files out of the repository.'
  return new Problem({ type: 'runtime', code: 'git_error', message, suggestion })
}

function harmful(shown: string, name: string): Problem {
  const message = `${shown} holds a file with the name ${JSON.stringify(name)}, which leads out of it`
  const suggestion = 'Nothing of this commit is used. Find out who made it.'
  return new Problem({ type: 'runtime', code: 'git_error', message, suggestion })
}

function incomplete(shown: string, name: string): Problem {
  const message = `${shown} lacks the content of ${name}`
  return new Problem({ type: 'runtime', code: 'git_error', message, recoverable: true })
}
