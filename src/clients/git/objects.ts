/** A bare repository of our own: made, read, and never asking anybody for what it lacks. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runGit, type Git } from './git.ts'

export type Store = { readonly git: Git; readonly folder: string; readonly limit: number }

export type Entry = {
  readonly mode: 'file' | 'program' | 'link' | 'submodule'
  readonly id: string
  /** Undefined: it was too large to be fetched. */
  readonly size: number | undefined
  readonly path: Buffer
}

/** `length` is the number of digits of its ids: 40 or 64. */
export async function makeBare(folder: string, length: number): Promise<void> {
  await mkdir(join(folder, 'objects/pack'), { recursive: true })
  await mkdir(join(folder, 'refs/heads'), { recursive: true })
  await writeSettings(folder, length)
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/nothing\n')
}

/** A filtered fetch writes where to get the rest; without that line nothing is ever fetched behind our back. */
export async function writeSettings(folder: string, length: number): Promise<void> {
  const newer =
    '\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n'
  const usual = '\trepositoryformatversion = 0\n\tbare = true\n'
  await writeFile(join(folder, 'config'), `[core]\n${length === 64 ? newer : usual}`)
}

export async function entriesOf(
  store: Store,
  commit: string,
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const words = ['ls-tree', '-r', '-z', '-l', '--full-tree', commit]
  const { output } = await runGit(store.git, { ...store, words, signal })
  const entries: Entry[] = []
  for (let at = 0; at < output.length;) {
    const tab = output.indexOf(9, at)
    const end = output.indexOf(0, tab)
    const [mode = '', , id = '', size = ''] = output.toString('latin1', at, tab).split(/ +/)
    const kind = modes[mode] ?? 'file'
    const path = output.subarray(tab + 1, end)
    entries.push({ mode: kind, id, size: /^\d+$/.test(size) ? Number(size) : undefined, path })
    at = end + 1
    if (entries.length % atOnce === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return entries
}

/** How many entries are read before others have their turn. */
const atOnce = 5_000

/** The mode and the id of each path, as one text that can only be compared. */
export async function idsIn(
  store: Store,
  commit: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const words = ['ls-tree', '-r', '-z', '--full-tree', commit]
  const { output } = await runGit(store.git, { ...store, words, signal })
  const ids = new Map<string, string>()
  for (const line of output.toString().split('\0')) {
    const tab = line.indexOf('\t')
    const [mode = '', , id = ''] = line.slice(0, Math.max(0, tab)).split(' ')
    if (tab > 0) ids.set(line.slice(tab + 1), `${modes[mode] ?? 'file'} ${id}`)
    if (ids.size % atOnce === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return ids
}

const modes: Readonly<Record<string, Entry['mode']>> = {
  '100755': 'program',
  '120000': 'link',
  '160000': 'submodule',
}

/** The contents behind these ids, in their order; what is not there is undefined. */
export async function contentsOf(
  store: Store,
  ids: readonly string[],
  most: number,
  signal: AbortSignal,
): Promise<readonly (Buffer | undefined)[]> {
  const words = ['cat-file', '--batch', '--buffer']
  const input = ids.map((id) => `${id}\n`).join('')
  const { output } = await runGit(store.git, { ...store, words, input, most, signal })
  const contents: (Buffer | undefined)[] = []
  for (let at = 0; at < output.length;) {
    const line = output.indexOf(10, at)
    const size = / (\d+)$/.exec(output.toString('latin1', at, line))?.[1]
    const end = size === undefined ? line : line + 1 + Number(size)
    contents.push(size === undefined ? undefined : output.subarray(line + 1, end))
    at = end + 1
  }
  return contents
}

/** What a ref points at: its id, its kind and, of a commit or a tag, its text. */
export async function objectAt(store: Store, ref: string, signal: AbortSignal) {
  const words = ['cat-file', '--batch']
  const { output } = await runGit(store.git, { ...store, words, input: `${ref}\n`, signal })
  const line = output.indexOf(10)
  const [id = '', kind = ''] = output.toString('latin1', 0, line).split(' ')
  return { id, kind, text: output.toString('utf8', line + 1) }
}

export type Commit = { readonly message: string; readonly author: string; readonly at: number }

export async function describe(store: Store, commit: string, signal: AbortSignal): Promise<Commit> {
  const words = ['log', '-1', '--no-show-signature', '--format=%ct%n%an%n%s', commit]
  const { output } = await runGit(store.git, { ...store, words, signal })
  const [seconds = '', author = '', message = ''] = output.toString().split('\n')
  return { message: shortened(message), author: shortened(author), at: Number(seconds) * 1000 }
}

/** Shortens a message: whoever commits could write megabytes, which would be in every answer about every application of the commit. */
function shortened(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text
}

/** Whether the commit with its files is there, as far as it was fetched. */
export async function hasCommit(store: Store, id: string, signal: AbortSignal): Promise<boolean> {
  const words = ['cat-file', '--batch-check']
  const { output } = await runGit(store.git, { ...store, words, input: `${id}^{commit}\n`, signal })
  return / commit \d+/.test(output.toString())
}

/** The full ids of the commits that begin so, at most two. */
export async function commitsBeginning(
  store: Store,
  short: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const words = ['rev-list', '--all', '--missing=allow-any']
  const { output } = await runGit(store.git, { ...store, words, signal })
  return [...new Set(output.toString().split('\n'))].filter((id) => id.startsWith(short))
}

/** The commit and those that it comes from, as far as they are here, each with its time in seconds. */
export async function historyOf(
  store: Store,
  commit: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const words = ['log', '--format=%H %ct', '--no-show-signature', commit]
  const { output } = await runGit(store.git, { ...store, words, signal })
  const lines = output
    .toString()
    .split('\n')
    .filter((line) => line !== '')
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(' ')), Number(line.split(' ')[1])]),
  )
}
