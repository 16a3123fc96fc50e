/** The context of a build, read from the disk and sent as it is read. */
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
  readonly sent?: ((text: string) => string) | undefined
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
  const dockerfile = isOutside ? '.tend.Dockerfile' : within
  const rules = resolve(join(folder, '.dockerignore'))
  const paths = await list({ folder, rules, always: [within, '.dockerignore'] })
  const extra: readonly TarEntry[] = isOutside
    ? [{ type: 'file', path: dockerfile, mode: 0o644, content: Buffer.from(sent?.(text) ?? text) }]
    : []
  return { tar: tarStream(entriesOf(folder, paths, extra)), dockerfile, text }
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
  yield* listed(folder, paths)
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
