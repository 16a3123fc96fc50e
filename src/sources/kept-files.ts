/** Files that containers read from a place that stays: filled anew when they change, and put back when a run goes back. */
import { closeSync, constants, existsSync, fchmodSync, openSync, readdirSync } from 'node:fs'
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { dirname, join, relative } from 'node:path/posix'
import { Problem } from '#model/problem.ts'
import { inFolder } from './descend.ts'
import { defined } from '#model/defined.ts'

/** `to` then holds what `from` holds, and nothing else. What it held before is kept beside it. Both are below the root. */
export function fillKept(root: string, from: string, to: string): void {
  if (!existsSync(from)) throw swept(from)
  if (existsSync(to)) copyOver(root, to, beforeOf(root, to))
  copyOver(root, from, to)
}

/** Back to what it held before it was last filled. */
export function unfillKept(root: string, to: string): void {
  const before = beforeOf(root, to)
  if (existsSync(before)) copyOver(root, before, to)
}

/** In a folder beside all kept ones of the application, which nothing is bound from. */
function beforeOf(root: string, to: string): string {
  const [app = '', kept = '', ...rest] = relative(root, to).split('/')
  return join(root, app, `${kept}-before`, ...rest)
}

function copyOver(root: string, from: string, to: string): void {
  const names = relative(root, to).split('/')
  // a file that is bound by itself is seen by its inode: another one under its name would not be seen
  if (!statSync(from).isDirectory()) return overwrite(root, names, from)
  const files = filesIn(from)
  inFolder(root, names, () => {})
  for (const file of files) {
    const path = [...names, ...file.split('/')]
    inFolder(root, path.slice(0, -1), (here) =>
      replace(join(here, defined(path.at(-1))), join(from, file)),
    )
  }
  const wanted = new Set(files)
  for (const file of filesIn(to).filter((one) => !wanted.has(one))) {
    const path = [...names, ...file.split('/')]
    inFolder(root, path.slice(0, -1), (here) =>
      rmSync(join(here, defined(path.at(-1))), { force: true }),
    )
  }
}

function overwrite(root: string, names: readonly string[], from: string): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW
  inFolder(root, names.slice(0, -1), (here) => {
    const descriptor = openSync(join(here, defined(names.at(-1))), flags)
    try {
      writeFileSync(descriptor, readFileSync(from))
      fchmodSync(descriptor, statSync(from).mode & 0o777)
    } finally {
      closeSync(descriptor)
    }
  })
}

/** Beside it and renamed: never half of it. What is the same stays untouched. */
function replace(target: string, from: string): void {
  const content = readFileSync(from)
  if (existsSync(target) && readFileSync(target).equals(content)) return
  const beside = join(dirname(target), `.new-${randomBytes(6).toString('hex')}`)
  const descriptor = openSync(beside, 'wx')
  try {
    writeFileSync(descriptor, content)
    fchmodSync(descriptor, statSync(from).mode & 0o777)
  } finally {
    closeSync(descriptor)
  }
  renameSync(beside, target)
}

function filesIn(folder: string, inside = ''): readonly string[] {
  return readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
    const path = join(inside, entry.name)
    return entry.isDirectory() ? filesIn(folder, path) : [path]
  })
}

function swept(from: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'not_found',
    message: `the copy of the files that are to be bound is gone: ${from}`,
    suggestion: 'apply the newest revision: tend sync lays them down anew',
  })
}
