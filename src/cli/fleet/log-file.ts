/** A log under a name that everybody knows: opened without following links, for its owner alone. */
import { closeSync, constants, fchmodSync, openSync, writeSync } from 'node:fs'
import { Problem } from '#model/problem.ts'

export type LogFile = {
  readonly path: string
  write(lines: readonly string[]): void
  close(): void
}

export function openLog(path: string): LogFile {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  try {
    const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
    fchmodSync(file, 0o600)
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
