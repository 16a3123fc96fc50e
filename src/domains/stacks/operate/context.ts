/** The context of a build, read from the disk and sent as it is read. */
import { randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { lstat, open, readFile, readlink, stat, type FileHandle } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { tarStream, type TarEntry } from '#clients/docker/tar.ts'
import { Problem } from '#model/problem.ts'
import type { BuildDefinition } from '../spec.ts'
import { listContext, type ListContext } from '../context-files.ts'

type BuildContext = {
  readonly tar: AsyncIterable<Uint8Array>
  /** Its path in the tar, and what it says. */
  readonly dockerfile: string
  readonly text: string
}

/** Gives the path of a file or folder without links, or throws where it leads to what may not be read. */
export type Resolve = (path: string) => string

export type ContextOptions = {
  /** Of an application that is followed, whose containers may have put a link in the place of a file. */
  readonly resolve?: Resolve | undefined
  /** Where rules and names of files are a repository's, this is not done here. */
  readonly list?: ListContext | undefined
  /** What is sent in place of the Dockerfile, made of what was read and not of the file, whatever becomes of it. */
  readonly sent?: ((text: string) => string | Promise<string>) | undefined
}

/** A Dockerfile that is written in the Compose file, or lies outside the context, goes in under a name of its own. */
export async function contextOf(
  given: string,
  { dockerfile_inline: inline = '', dockerfile: written = '' }: BuildDefinition,
  { resolve = (path) => path, list = listContext, sent }: ContextOptions = {},
): Promise<BuildContext> {
  const folder = resolve(given)
  const named = written || 'Dockerfile'
  const path = isAbsolute(named) ? named : join(folder, named)
  const within = relative(folder, path)
  const isOutside = sent !== undefined || inline !== '' || within.startsWith('..')
  const text = inline === '' ? await dockerfileAt(resolve(path)) : inline
  const dockerfile = isOutside ? `.tend-${randomBytes(12).toString('hex')}.Dockerfile` : within
  const rules = resolve(join(folder, '.dockerignore'))
  const paths = await list({ folder, rules, always: [within, '.dockerignore'] })
  const extra = isOutside
    ? [
        plainFile(dockerfile, (await sent?.(text)) ?? text),
        ...(await rulesFor(dockerfile, folder, resolve)),
      ]
    : []
  return { tar: tarStream(entriesOf(folder, paths, extra)), dockerfile, text }
}

function plainFile(path: string, text: string): TarEntry {
  return { type: 'file', path, mode: 0o644, content: Buffer.from(text) }
}

/** Files with rules that engines look for themselves; Podman knows the second, and takes no other where it is. */
const ruleFiles = ['.dockerignore', '.containerignore']

/**
 * Rules with one more: the added Dockerfile gets into no image. They are sent as plain files, because an engine would follow a link to
 * a file of its host.
 */
async function rulesFor(
  dockerfile: string,
  folder: string,
  resolve: Resolve,
): Promise<readonly TarEntry[]> {
  const own = await textAt(resolve(join(folder, '.dockerignore')))
  const podman = await textAt(resolve(join(folder, '.containerignore')))
  // nobody wrote this one: it gets into no image either
  const added = own === undefined ? `.dockerignore\n${dockerfile}\n` : `${dockerfile}\n`
  const entries = [plainFile('.dockerignore', `${ended(own)}${added}`)]
  if (podman !== undefined) entries.push(plainFile('.containerignore', `${ended(podman)}${added}`))
  return entries
}

function ended(text = ''): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

async function textAt(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    // an engine finds no rules there either
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Bytes. Nobody writes one that is larger, and every line of it is looked at. */
const largestDockerfile = 256 * 1024

async function dockerfileAt(path: string): Promise<string> {
  const { size } = await stat(path)
  if (size <= largestDockerfile) return readFile(path, 'utf8')
  throw new Problem({
    type: 'configuration',
    code: 'compose_error',
    at: { file: path, line: 1, column: 1 },
    message: `the Dockerfile has ${size} bytes, more than the ${largestDockerfile} that are read`,
    suggestion: 'make it smaller',
  })
}

async function* entriesOf(
  folder: string,
  paths: string,
  extra: readonly TarEntry[],
): AsyncIterable<TarEntry> {
  const replaced = new Set(extra.length === 0 ? [] : ruleFiles)
  for await (const entry of listed(folder, paths)) if (!replaced.has(entry.path)) yield entry
  yield* extra
}

type Folder = { readonly name: string; readonly handle: FileHandle; readonly here: string }

/**
 * Through a descriptor of each folder, and never through a link: one that is swapped for a link meanwhile is not entered. The paths
 * are in the order of the tree, so that a folder is opened once.
 */
async function* listed(folder: string, paths: string): AsyncIterable<TarEntry> {
  const root = await opened(folder, '', 0)
  const open_: Folder[] = []
  try {
    for (let start = 0; start < paths.length;) {
      const end = paths.indexOf('\0', start)
      const path = paths.slice(start, end)
      start = end + 1
      const above = path.split('/')
      const name = above.pop() ?? ''
      const common = open_.findIndex((one, depth) => one.name !== above[depth])
      const left = open_.splice(common < 0 ? Math.min(open_.length, above.length) : common)
      for (const one of left.toReversed()) await one.handle.close()
      for (const part of above.slice(open_.length)) {
        const { here } = open_.at(-1) ?? root
        open_.push(await opened(join(here, part), part, constants.O_NOFOLLOW))
      }
      yield* entryAt(join((open_.at(-1) ?? root).here, name), path)
    }
  } finally {
    for (const one of [root, ...open_]) await one.handle.close()
  }
}

async function opened(path: string, name: string, flags: number): Promise<Folder> {
  const handle = await open(path, constants.O_DIRECTORY | flags)
  const here = existsSync('/proc/self/fd') ? `/proc/self/fd/${handle.fd}` : path
  return { name, handle, here }
}

async function* entryAt(full: string, path: string): AsyncIterable<TarEntry> {
  const found = await lstat(full)
  const mode = found.mode & 0o7777
  if (found.isDirectory()) yield { type: 'folder', path, mode }
  else if (found.isSymbolicLink()) yield { type: 'link', path, mode, target: await readlink(full) }
  else if (found.isFile()) yield { type: 'file', path, mode, content: await readPlain(full) }
}

async function readPlain(path: string): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}
