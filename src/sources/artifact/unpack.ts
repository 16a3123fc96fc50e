/** Unpacks an archive into a folder: plain files alone, none outside of it, and not more than the limits allow. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { BadArchive, tarEntries } from './tar-entries.ts'

export type ArchiveLimits = {
  /** The size of the archive itself, bytes. */
  readonly mostPacked: number
  /** The size of all files together, bytes. */
  readonly mostBytes: number
  readonly largestFile: number
  readonly mostFiles: number
  /** ms */
  readonly time: number
}

export const usualArchiveLimits: ArchiveLimits = {
  mostPacked: 256 * 1024 ** 2,
  mostBytes: 1024 ** 3,
  largestFile: 50 * 1024 ** 2,
  mostFiles: 100_000,
  time: 5 * 60_000,
}

/** Unpacks into an empty folder. Gives the names of what was left out: links and devices. Throws BadArchive. */
export async function unpack(
  archive: string,
  folder: string,
  limits: ArchiveLimits,
): Promise<readonly string[]> {
  const left: string[] = []
  let [bytes, files] = [0, 0]
  const made = new Set<string>()

  async function inFolder(name: string): Promise<void> {
    if (made.has(name)) return
    await mkdir(join(folder, name), { recursive: true })
    made.add(name)
  }

  const gunzip = createGunzip()
  const reading = pipeline(createReadStream(archive), gunzip)
  // the loop below reads the same error from the stream
  reading.catch(() => undefined)
  try {
    for await (const entry of tarEntries(gunzip, limits.largestFile)) {
      const name = insideOf(entry.path)
      files += 1
      bytes += entry.content.length
      if (files > limits.mostFiles) throw tooMuch(`more than ${limits.mostFiles} files`)
      if (bytes > limits.mostBytes) throw tooMuch(`more than ${megabytes(limits.mostBytes)} MB`)
      if (entry.kind === 'other') left.push(name)
      else if (entry.kind === 'folder') await inFolder(name)
      else {
        await inFolder(dirname(name))
        const mode = entry.isProgram ? 0o755 : 0o644
        await writeFile(join(folder, name), entry.content, { mode, flag: 'w' })
      }
    }
    return left
  } catch (error) {
    if (error instanceof BadArchive) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new BadArchive(why, { cause: error })
  } finally {
    gunzip.destroy()
  }
}

/** Nothing but folders and files is ever made, so that a name without `..` can't lead out. */
function insideOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (path.startsWith('/') || path.includes('\0') || parts.includes('..')) {
    throw new BadArchive(`it holds a file with the name ${JSON.stringify(path)}, which leads out`)
  }
  return parts.join('/')
}

function tooMuch(what: string): BadArchive {
  return new BadArchive(`it holds ${what}`)
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1024 ** 2)
}
