/** A log under a name that everybody knows: opened without following links, for its owner alone. */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  writeSync,
} from 'node:fs'
import { Problem } from '#model/problem.ts'

type LogFile = {
  readonly path: string
  write(lines: readonly string[]): void
  close(): void
}

export function openLog(path: string): LogFile {
  try {
    const file = openOwn(path)
    return {
      path,
      write: (lines) => void writeSync(file, lines.map((line) => `${line}\n`).join('')),
      close: () => closeSync(file),
    }
  } catch (cause) {
    throw new Problem({
      type: 'configuration',
      code: 'usage',
      message: `the log ${path} can't be written: ${cause instanceof Error ? cause.message : ''}`,
      suggestion: 'name another one with --log',
      cause,
    })
  }
}

/** Empties the file only once it is known to be our own: a link, a pipe, or a file of another user stays as it is. */
function openOwn(path: string): number {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw new Error('it is no file')
    if (found.nlink !== 1) throw new Error('the file has another name too')
    if (found.uid !== process.geteuid?.()) throw new Error("the file is somebody else's")
    fchmodSync(file, 0o600)
    ftruncateSync(file)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}
