/** The files of this machine, as the Compose loader asks for them. */
import { readFileSync, statSync } from 'node:fs'
import { fileFailure } from '#formats/compose/compose-error.ts'
import type { ComposeFiles } from '#formats/compose/session.ts'

export const openFiles: ComposeFiles = {
  read(path) {
    try {
      return readFileSync(path)
    } catch (error) {
      if (isAbsence(error)) return undefined
      throw fileFailure(path, 'the file can not be read', 'check its mode and owner')
    }
  },
  isDirectory: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
}

const absences: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR'])

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && absences.has(error.code)
}
