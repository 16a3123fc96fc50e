/** Packs files into an archive as Flux's controllers read it: the same files give the same bytes. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { tarStream, type TarEntry } from '#clients/docker/tar.ts'
import type { Tree } from '#model/tree.ts'
import { yieldToEventLoop } from '#model/yield-to-event-loop.ts'

export type Packed = {
  /** `sha256:…` over the archive. */
  readonly digest: string
  readonly size: number
}

/** Writes the archive to a file that is there as a whole or not at all. */
export async function pack(
  tree: Pick<Tree, 'list' | 'read'>,
  target: string,
  signal: AbortSignal,
): Promise<Packed> {
  const hash = createHash('sha256')
  let size = 0
  const counted = new Transform({
    transform(part: Uint8Array, _encoding, done) {
      hash.update(part)
      size += part.length
      done(null, part)
    },
  })
  await mkdir(dirname(target), { recursive: true })
  const half = `${target}.half`
  try {
    const bytes = Readable.from(tarStream(entriesOf(tree)))
    await pipeline(bytes, createGzip({ level: 6 }), counted, createWriteStream(half), { signal })
    await rename(half, target)
  } finally {
    await rm(half, { force: true })
  }
  return { digest: `sha256:${hash.digest('hex')}`, size }
}

async function* entriesOf(tree: Pick<Tree, 'list' | 'read'>): AsyncIterable<TarEntry> {
  const breathe = yieldToEventLoop()
  const folders = new Set<string>()
  for (const path of tree.list('')) {
    await breathe()
    const content = tree.read(path)
    if (content === undefined) continue
    for (const folder of foldersOf(path)) {
      if (folders.has(folder)) continue
      folders.add(folder)
      yield { type: 'folder', path: folder, mode: 0o755 }
    }
    yield { type: 'file', path, mode: 0o644, content }
  }
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
