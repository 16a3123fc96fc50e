/** The context of a build, read from the disk and sent as it is read. */
import { randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { lstat, open, readlink, type FileHandle } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { tarStream, type StreamedFile, type TarEntry } from '#clients/docker/tar.ts'
import type { DocumentFile } from '../dockerfile/documents.ts'
import type { BuildDefinition } from '../spec.ts'
import { listContext, type ListContext } from '../context-files.ts'
import { ownReads, piecesOf, plainReads, planted, type FileReads } from './own-files.ts'

type BuildContext = {
  readonly tar: AsyncIterable<Uint8Array>
  /** Its path in the tar, and what it says. */
  readonly dockerfile: string
  readonly text: string
}

/** Gives the path of a file or folder without links, or throws where it leads to what may not be read. */
export type Resolve = (path: string) => string

export type Sent = {
  readonly dockerfile: string
  /** What goes with it, in the folder whose name was given. */
  readonly files: readonly DocumentFile[]
}

export type ContextOptions = {
  /** Of an application that is followed, whose containers may have put a link in the place of a file. */
  readonly resolve?: Resolve | undefined
  /** Where rules and names of files are a repository's, this is not done here. */
  readonly list?: ListContext | undefined
  /** What is sent in place of the Dockerfile, made of what was read and not of the file, whatever becomes of it. */
  readonly sent?: ((text: string, folder: string) => Sent | Promise<Sent>) | undefined
}

/** A Dockerfile that is written in the Compose file, or lies outside the context, goes in under a name of its own. */
export async function contextOf(
  given: string,
  { dockerfile_inline: inline = '', dockerfile: written = '' }: BuildDefinition,
  { resolve: resolved, list = listContext, sent }: ContextOptions = {},
): Promise<BuildContext> {
  const resolve = resolved ?? ((path: string) => path)
  const reads = resolved === undefined ? plainReads : ownReads
  const folder = resolve(given)
  const named = written || 'Dockerfile'
  const path = isAbsolute(named) ? named : join(folder, named)
  const within = relative(folder, path)
  const isOutside = sent !== undefined || inline !== '' || within.startsWith('..')
  const text = inline === '' ? await reads.text(resolve(path), largestDockerfile) : inline
  const added = `.tend-${randomBytes(12).toString('hex')}`
  const dockerfile = isOutside ? `${added}.Dockerfile` : within
  const texts: (string | undefined)[] = []
  for (const name of isOutside ? ruleFiles : []) {
    texts.push(await rulesAt(resolve(join(folder, name)), reads))
  }
  const rules = resolve(join(folder, '.dockerignore'))
  const paths = await list({ folder, rules, always: [within, '.dockerignore'] })
  const own = await sent?.(text, added)
  const files = (own?.files ?? []).map((file) => plainFile(file.path, file.content))
  const more = `${dockerfile}\n${files.length === 0 ? '' : `!${added}\n!${added}/**\n`}`
  const extra = isOutside
    ? [plainFile(dockerfile, own?.dockerfile ?? text), ...files, ...rulesWith(more, texts)]
    : []
  return { tar: tarStream(entriesOf(folder, paths, extra, reads)), dockerfile, text }
}

function plainFile(path: string, text: string): TarEntry {
  return { type: 'file', path, mode: 0o644, content: Buffer.from(text) }
}

/** Files with rules that engines look for themselves; Podman knows the second, and takes no other where it is. */
const ruleFiles = ['.dockerignore', '.containerignore']

/**
 * Rules with some more: the added Dockerfile gets into no image, and what goes with it is never left out. They are sent as plain
 * files, because an engine would follow a link to a file of its host.
 */
function rulesWith(
  more: string,
  [own, podman]: readonly (string | undefined)[],
): readonly TarEntry[] {
  // nobody wrote this one: it gets into no image either
  const added = own === undefined ? `.dockerignore\n${more}` : more
  const entries = [plainFile('.dockerignore', `${ended(own)}${added}`)]
  if (podman !== undefined) entries.push(plainFile('.containerignore', `${ended(podman)}${added}`))
  return entries
}

function ended(text = ''): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

async function rulesAt(path: string, reads: FileReads): Promise<string | undefined> {
  try {
    return await reads.text(path, largestRules)
  } catch (error) {
    // an engine finds no rules there either
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Bytes. Nobody writes one that is larger, and every line of it is looked at. */
const largestDockerfile = 256 * 1024
/** Bytes; 30,000 rules are well below it. */
const largestRules = 4 * 1024 * 1024

async function* entriesOf(
  folder: string,
  paths: string,
  extra: readonly TarEntry[],
  reads: FileReads,
): AsyncIterable<TarEntry | StreamedFile> {
  const replaced = new Set(extra.length === 0 ? [] : ruleFiles)
  for await (const entry of listed(folder, paths, reads)) {
    if (!replaced.has(entry.path)) yield entry
  }
  yield* extra
}

type Folder = { readonly name: string; readonly handle: FileHandle; readonly here: string }

/**
 * Through a descriptor of each folder, and never through a link: one that is swapped for a link meanwhile is not entered. The paths
 * are in the order of the tree, so that a folder is opened once.
 */
async function* listed(
  folder: string,
  paths: string,
  reads: FileReads,
): AsyncIterable<TarEntry | StreamedFile> {
  const root = folderOf(await reads.folder(folder), folder)
  const open_: Folder[] = []
  let link = ''
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
        const below = join(here, part)
        const handle = await open(below, constants.O_DIRECTORY | constants.O_NOFOLLOW)
        open_.push(folderOf(handle, below, part))
      }
      // Podman unpacks a context where it lies on its host, through absolute links: nothing goes below one
      if (link !== '' && path.startsWith(`${link}/`)) throw planted(path)
      for await (const entry of entryAt(join((open_.at(-1) ?? root).here, name), path)) {
        if (entry.type === 'link') link = path
        yield entry
      }
    }
  } finally {
    for (const one of [root, ...open_]) await one.handle.close()
  }
}

function folderOf(handle: FileHandle, path: string, name = ''): Folder {
  const here = existsSync('/proc/self/fd') ? `/proc/self/fd/${handle.fd}` : path
  return { name, handle, here }
}

async function* entryAt(full: string, path: string): AsyncIterable<TarEntry | StreamedFile> {
  const found = await lstat(full)
  const mode = found.mode & 0o7777
  if (found.isDirectory()) yield { type: 'folder', path, mode }
  else if (found.isSymbolicLink()) yield { type: 'link', path, mode, target: await readlink(full) }
  else if (found.isFile()) yield* plainAt(full, path, mode)
}

/** In pieces, and only what is a plain file when it is opened: a container may put a pipe in its place. */
async function* plainAt(full: string, path: string, mode: number): AsyncIterable<StreamedFile> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(full, flags)
  try {
    const found = await handle.stat()
    const { size } = found
    if (found.isFile()) yield { type: 'stream', path, mode, size, pieces: piecesOf(handle, size) }
  } finally {
    await handle.close()
  }
}
