/** A file without a name, in memory: what a child must read as a file (ssh its key) and nobody should find on disk. */
import { closeSync, constants, openSync, statfsSync, writeSync } from 'node:fs'
import { Problem } from '#model/problem.ts'

export type NamelessFile = {
  /** Only this user's processes can open it, and only until it is closed. */
  readonly path: string
  close(): void
}

const memoryFileSystem = 0x01021994
const nameless = 0o20000000 | constants.O_DIRECTORY | constants.O_RDWR

/** ssh closes the descriptors it inherits, so that the path goes through this process. */
export function namelessFile(text: string, folders: readonly string[]): NamelessFile {
  const folder = folders.find(isMemory)
  if (folder === undefined) throw noMemory(folders)
  const descriptor = openSync(folder, nameless, 0o600)
  writeSync(descriptor, text)
  let isOpen = true
  return {
    path: `/proc/${process.pid}/fd/${descriptor}`,
    close() {
      if (isOpen) closeSync(descriptor)
      isOpen = false
    },
  }
}

function isMemory(folder: string): boolean {
  try {
    return statfsSync(folder).type === memoryFileSystem
  } catch {
    // what can't be asked is taken for a disk
    return false
  }
}

function noMemory(folders: readonly string[]): Problem {
  return new Problem({
    type: 'configuration',
    code: 'git_error',
    message: `an ssh key is handed on in memory only, and none of ${folders.join(', ')} is a tmpfs`,
    suggestion: 'Mount a tmpfs at /dev/shm, or set XDG_RUNTIME_DIR to a folder on one.',
  })
}
