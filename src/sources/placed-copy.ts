/** Files of a snapshot, read without leaving it and written beside their place. */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'
import { resolved, type Root } from './confined.ts'

export function realFolder(folder: string): Root {
  return { shown: folder, real: realpathSync.native(folder) }
}

/** Paths from `source` to each file in it; `''` when it is a file itself. Links inside are followed, others refused. */
export function filesBelow(snapshot: Root, source: string): readonly string[] {
  if (!statSync(source).isDirectory()) return ['']
  const files: string[] = []
  function visit(inside: string, above: readonly string[]): void {
    const real = resolved(snapshot, relative(snapshot.real, join(source, inside)))
    // a link to nothing or to a folder that it is in has no files of its own
    if (real === undefined || above.includes(real)) return
    if (!statSync(real).isDirectory()) return void files.push(inside)
    for (const name of readdirSync(real)) visit(join(inside, name), [...above, real])
  }
  visit('', [])
  return files
}

export function copyInto(files: readonly string[], source: string, target: string): void {
  if (!files.includes('')) mkdirSync(target)
  for (const file of files) copyOne(join(source, file), join(target, file))
}

function copyOne(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
  chmodSync(to, modeOf(from))
}

/** The mode lets any user that a container runs as read the file. */
export function modeOf(path: string): number {
  return (statSync(path).mode & 0o111) === 0 ? 0o644 : 0o755
}
