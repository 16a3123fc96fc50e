/** The files below one folder, as the Compose loader asks for them: no link leads out of it. */
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileFailure } from '#formats/compose/compose-error.ts'
import type { ComposeFiles } from '#formats/compose/load/session.ts'
import { openFiles } from './open-files.ts'

/** `trusted` are files that the user named, wherever they are. */
export function confinedFiles(folder: string, trusted: ReadonlySet<string>): ComposeFiles {
  const root = realOf(folder) ?? folder

  /** A file that does not exist yet would be made where the folders above it lead. */
  function leadsOut(path: string): string | undefined {
    if (trusted.has(path) || !isBelow(path, folder)) return undefined
    const real = realOf(path)
    if (real === undefined) return path === folder ? undefined : leadsOut(dirname(path))
    return isBelow(real, root) ? undefined : real
  }

  /** The loader itself refuses paths that openly lead out, with their place. */
  function check(path: string): void {
    const real = leadsOut(path)
    if (real === undefined) return
    throw fileFailure(path, `the file is a link to ${real}, outside ${folder}`, outsideAdvice)
  }

  return {
    leadsOut,
    read(path) {
      check(path)
      return openFiles.read(path)
    },
    isDirectory(path) {
      check(path)
      return openFiles.isDirectory(path)
    },
  }
}

export const outsideAdvice = 'if that is meant, add --allow-outside'

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`)
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    // it is not there, and whoever reads it says so
    return undefined
  }
}
