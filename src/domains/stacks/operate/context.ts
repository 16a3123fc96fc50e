/** The context of a build, read from the disk and sent as it is read. */
import { constants, existsSync } from 'node:fs'
import { lstat, open, readdir, readFile, readlink } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { tarStream, type TarEntry } from '#clients/docker/tar.ts'
import { textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import { dockerIgnore, type Ignored } from '../dockerignore.ts'

type BuildContext = {
  readonly tar: AsyncIterable<Uint8Array>
  /** Its path in the tar, and what it says. */
  readonly dockerfile: string
  readonly text: string
}

/** Gives the path of a file or folder without links, or throws where it leads to what may not be read. */
export type Resolve = (path: string) => string

/**
 * A Dockerfile that is written in the Compose file, or lies outside the context, goes in under a name of its own. `resolve`: of
 * an application that is followed, whose containers may have put a link in the place of a file.
 */
export async function contextOf(
  given: string,
  definition: JsonRecord,
  resolve: Resolve = (path) => path,
): Promise<BuildContext> {
  const folder = resolve(given)
  // without the file nothing is left out
  const rules = await readFile(resolve(join(folder, '.dockerignore')), 'utf8').catch(() => '')
  const inline = textOf(definition['dockerfile_inline'])
  const named = textOf(definition['dockerfile']) || 'Dockerfile'
  const path = isAbsolute(named) ? named : join(folder, named)
  const within = relative(folder, path)
  const isOutside = inline !== '' || within.startsWith('..')
  const text = inline === '' ? await readFile(resolve(path), 'utf8') : inline
  const dockerfile = isOutside ? '.tend.Dockerfile' : within
  const ignored = dockerIgnore(rules)
  const extra: readonly TarEntry[] = isOutside
    ? [{ type: 'file', path: dockerfile, mode: 0o644, content: Buffer.from(text) }]
    : []
  // the engine needs it whatever the rules say
  const out: Ignored = (name) => name !== within && name !== '.dockerignore' && ignored(name)
  return { tar: tarStream(entriesOf(folder, out, extra)), dockerfile, text }
}

async function* entriesOf(
  folder: string,
  ignored: Ignored,
  extra: readonly TarEntry[],
): AsyncIterable<TarEntry> {
  yield* below(folder, '', ignored)
  yield* extra
}

/**
 * Through a descriptor of each folder, and never through a link: one that is swapped for a link meanwhile is not entered.
 * `path`: of the folder on the disk; `inside`: its path in the context.
 */
async function* below(path: string, inside: string, ignored: Ignored): AsyncIterable<TarEntry> {
  const isRoot = inside === ''
  const folder = await open(path, constants.O_DIRECTORY | (isRoot ? 0 : constants.O_NOFOLLOW))
  try {
    const here = existsSync('/proc/self/fd') ? `/proc/self/fd/${folder.fd}` : path
    const names = (await readdir(here)).toSorted()
    for (const name of names) {
      yield* entryOf(join(here, name), isRoot ? name : `${inside}/${name}`, ignored)
    }
  } finally {
    await folder.close()
  }
}

async function* entryOf(full: string, path: string, ignored: Ignored): AsyncIterable<TarEntry> {
  const found = await lstat(full)
  const mode = found.mode & 0o7777
  if (found.isDirectory()) {
    // something in it may have been taken back
    if (!ignored(path)) yield { type: 'folder', path, mode }
    yield* below(full, path, ignored)
  } else if (ignored(path)) {
    return
  } else if (found.isSymbolicLink()) {
    yield { type: 'link', path, mode, target: await readlink(full) }
  } else if (found.isFile()) {
    yield { type: 'file', path, mode, content: await readPlain(full) }
  }
}

async function readPlain(path: string): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}
