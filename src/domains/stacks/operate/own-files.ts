/**
 * Files of a build's context, opened. A container may write where they lie, so that since a path was looked at a link, a pipe or something
 * huge may have come in its place: what was opened says itself what and where it is.
 */
import { constants, existsSync } from 'node:fs'
import { open, readFile, readlink, stat, type FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { Problem } from '#model/problem.ts'

export type FileReads = {
  /** The text of a file, no larger than so many bytes. */
  text(path: string, most: number): Promise<string>
  folder(path: string): Promise<FileHandle>
}

/** What is built by hand: through links, and from pipes too. */
export const plainReads: FileReads = {
  async text(path, most) {
    const { size } = await stat(path)
    if (size > most) throw tooLarge(path, size, most)
    return readFile(path, 'utf8')
  },
  folder: (path) => open(path, constants.O_DIRECTORY),
}

/** `path`: without links. */
export const ownReads: FileReads = {
  text: ownText,
  folder: (path) => openedOwn(path, constants.O_DIRECTORY),
}

/** Opens a path of which no part is a link, and only what lies there itself, without waiting for the other end of a pipe. */
async function openedOwn(path: string, flags = 0): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | flags).catch(
    (error: NodeJS.ErrnoException) => {
      throw ['ELOOP', 'ENOTDIR', 'ENXIO'].includes(error.code ?? '') ? planted(path) : error
    },
  )
  try {
    if (existsSync('/proc/self/fd')) {
      const lies = await readlink(`/proc/self/fd/${handle.fd}`)
      if (lies !== path) throw planted(path)
    }
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function ownText(path: string, most: number): Promise<string> {
  const handle = await openedOwn(path)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw planted(path)
    if (found.size > most) throw tooLarge(path, found.size, most)
    // it may grow while it is read
    const bytes = Buffer.alloc(found.size)
    const { bytesRead } = await handle.read(bytes, 0, found.size, 0)
    return bytes.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Exactly so many bytes of an open file: what it grows by meanwhile is left out, and where it shrank is nothing more to send. */
export async function* piecesOf(handle: FileHandle, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < size;) {
    const bytes = Buffer.allocUnsafe(Math.min(size - at, pieceSize))
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, at)
    if (bytesRead === 0) throw shrank()
    at += bytesRead
    yield bytes.subarray(0, bytesRead)
  }
}

const pieceSize = 256 * 1024

function tooLarge(path: string, size: number, most: number): Problem {
  return new Problem({
    type: 'configuration',
    code: 'compose_error',
    at: { file: path, line: 1, column: 1 },
    message: `the ${basename(path)} has ${size} bytes, more than the ${most} that are read`,
    suggestion: 'make it smaller',
  })
}

export function planted(path: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'denied',
    message: `${path} is read for a build, and a link, a pipe or a device came in its place`,
    suggestion: 'look which container writes there, and build from a folder that none writes',
  })
}

function shrank(): Problem {
  return new Problem({
    type: 'runtime',
    code: 'conflict',
    message: 'a file of the build context became shorter while it was sent',
    suggestion: 'it is tried again',
    recoverable: true,
  })
}
