/** The files of this machine, as the Compose loader asks for them. */
import { readFileSync, statSync, type Stats } from 'node:fs'
import { fileFailure } from '#formats/compose/compose-error.ts'
import type { ComposeFiles } from '#formats/compose/load/session.ts'

export const openFiles: ComposeFiles = {
  read(path) {
    try {
      if (mayWait(path)) {
        throw fileFailure(path, 'it is a pipe or a device, not a file', 'name a file')
      }
      return readFileSync(path)
    } catch (error) {
      if (has(error, absences)) return undefined
      if (has(error, circles)) {
        throw fileFailure(path, 'it is a link that leads to itself', 'mend the link')
      }
      if (!has(error)) throw error
      throw fileFailure(path, 'the file can not be read', 'check its mode and owner')
    }
  },
  isDirectory: (path) => statOf(path)?.isDirectory() === true,
}

const absences: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR'])
const circles: ReadonlySet<unknown> = new Set(['ELOOP'])

/** Whether this is an error of the system, of one of these kinds if any are given. */
function has(error: unknown, kinds?: ReadonlySet<unknown>): boolean {
  return error instanceof Error && 'code' in error && (kinds?.has(error.code) ?? true)
}

/** Whether reading could wait for ever. A pipe that a shell hands over (`-f <(…)`) ends. */
function mayWait(path: string): boolean {
  if (path === '/dev/null' || /^\/(?:dev|proc\/(?:self|\d+))\/(?:fd\/|stdin)/.test(path))
    return false
  const stat = statOf(path)
  return stat !== undefined && !stat.isFile() && !stat.isDirectory()
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // it is not there, and whoever reads it says so
    return undefined
  }
}
