/** Writes the files of a commit into an empty folder: regular files first, links last, nothing outside. */
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path/posix'
import { contentsOf, entriesOf, type Entry, type Store } from '#clients/git/objects.ts'
import { Problem } from '#model/problem.ts'
import type { GitLimits } from './limits.ts'

export type LaidOut = {
  readonly omitted: readonly string[]
  /** Ids of what is not in the store: left out by the filter, or harmed. */
  readonly unfetched: readonly string[]
  /** Path and commit of each submodule. */
  readonly submodules: readonly (readonly [string, string])[]
}

type File = Entry & { readonly name: string; readonly size: number }

const atOnce = 16 * 1024 * 1024

export async function layOut(
  store: Store,
  commit: string,
  folder: string,
  limits: GitLimits,
  shown: string,
  signal: AbortSignal,
): Promise<LaidOut> {
  const entries = await entriesOf(store, commit, signal)
  const named = entries.map((entry) => ({ ...entry, name: nameOf(entry.path) }))
  const files: File[] = []
  const omitted: string[] = []
  for (const { name, size, ...entry } of named) {
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
  const folders = [...files.map(({ name }) => dirname(name)), ...submodules.map(([name]) => name)]
  for (const path of new Set(folders)) await mkdir(join(folder, path), { recursive: true })
  const links: (readonly [string, string])[] = []
  for (const batch of batchesOf(files)) {
    const most = 2 * atOnce + limits.largestFile + batch.length * 128
    const ids = batch.map(({ id }) => id)
    const contents = await contentsOf(store, ids, most, signal)
    await Promise.all(
      batch.map(async ({ name, mode }, i) => {
        const content = contents[i]
        if (content === undefined) throw incomplete(shown, name)
        if (mode === 'link') links.push([name, content.toString()])
        else await write(join(folder, name), content, mode === 'program')
      }),
    )
  }
  // only now, so that no file can be written through one
  for (const [name, target] of links) await symlink(target, join(folder, name))
  return { omitted, submodules, unfetched: unfetchedOf(named) }
}

function unfetchedOf(entries: readonly Entry[]): readonly string[] {
  const lacking = entries.filter(({ mode, size }) => mode !== 'submodule' && size === undefined)
  return lacking.map(({ id }) => id)
}

/** Whatever the umask says: containers of other users read them. */
async function write(path: string, content: Buffer, isProgram: boolean): Promise<void> {
  await writeFile(path, content, { flag: 'wx' })
  await chmod(path, isProgram ? 0o755 : 0o644)
}

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
    if (bytes + file.size > atOnce || batches.at(-1)!.length >= 2000) {
      batches.push([])
      bytes = 0
    }
    batches.at(-1)!.push(file)
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
