/** The context of a build, read from the disk and sent as it is read. */
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { tarStream, type TarEntry } from '#clients/docker/tar.ts'
import { textOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { dockerIgnore, type Ignored } from '../dockerignore.ts'

export type BuildContext = {
  readonly tar: AsyncIterable<Uint8Array>
  /** Its path in the tar, and what it says. */
  readonly dockerfile: string
  readonly text: string
}

/** A Dockerfile that is written in the Compose file, or lies outside the context, goes in under a name of its own. */
export async function contextOf(folder: string, definition: JsonRecord): Promise<BuildContext> {
  const rules = await readFile(join(folder, '.dockerignore'), 'utf8').catch(() => '')
  const inline = textOf(definition['dockerfile_inline'])
  const named = textOf(definition['dockerfile']) || 'Dockerfile'
  const path = isAbsolute(named) ? named : join(folder, named)
  const within = relative(folder, path)
  const isOutside = inline !== '' || within.startsWith('..')
  const text = inline === '' ? await readFile(path, 'utf8') : inline
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

async function* below(root: string, folder: string, ignored: Ignored): AsyncIterable<TarEntry> {
  const names = (await readdir(join(root, folder))).toSorted()
  for (const name of names) {
    const path = folder === '' ? name : `${folder}/${name}`
    const full = join(root, path)
    const found = await lstat(full)
    const mode = found.mode & 0o7777
    if (found.isDirectory()) {
      // something in it may have been taken back
      if (!ignored(path)) yield { type: 'folder', path, mode }
      yield* below(root, path, ignored)
    } else if (ignored(path)) {
      continue
    } else if (found.isSymbolicLink()) {
      yield { type: 'link', path, mode, target: await readlink(full) }
    } else if (found.isFile()) {
      yield { type: 'file', path, mode, content: await readFile(full) }
    }
  }
}
