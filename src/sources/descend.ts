/** Folders below a root, step by step through descriptors: no link that a container planted is followed, not even in a race. */
import { closeSync, constants, mkdirSync, openSync } from 'node:fs'
import { Problem } from '#model/problem.ts'
import { codeOf } from './confined.ts'

const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** `work` gets a path that means this very folder, whatever becomes of its name; missing folders are made. */
export function inFolder<T>(root: string, names: readonly string[], work: (here: string) => T): T {
  let descriptor = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    for (const name of names) {
      const next = step(`/proc/self/fd/${descriptor}/${name}`, [root, ...names].join('/'))
      closeSync(descriptor)
      descriptor = next
    }
    return work(`/proc/self/fd/${descriptor}`)
  } finally {
    closeSync(descriptor)
  }
}

function step(path: string, shown: string): number {
  try {
    return openSync(path, asFolder)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ELOOP' || code === 'ENOTDIR') throw inTheWay(shown)
    if (code !== 'ENOENT') throw error
  }
  try {
    mkdirSync(path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  return openSync(path, asFolder)
}

function inTheWay(shown: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'conflict',
    message: `a link or a file stands where a folder on the way to ${shown} belongs`,
    suggestion: 'Move it away: files are never written through a link.',
  })
}
