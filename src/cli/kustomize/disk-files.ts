/** All files of this machine for a build by hand: like kustomize it follows `..` wherever it leads. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import type { Files } from '#formats/kustomize/build.ts'
import { Problem } from '#model/problem.ts'

/** Paths have no leading slash. What can't be looked at for lack of rights is a problem, not a missing file. */
export const diskFiles: Files = {
  read(path) {
    return looked(path, () => (isFolder(path) ? undefined : readFileSync(`/${path}`)))
  },
  isDirectory: (path) => isFolder(path),
  list: (path) => looked(path, () => readdirSync(`/${path}`)) ?? [],
  realPath: (path) => looked(path, () => realpathSync.native(`/${path}`).slice(1)),
}

function isFolder(path: string): boolean {
  return looked(path, () => statSync(`/${path}`).isDirectory()) ?? false
}

/** A link that leads back to itself leads to nothing. */
const nothingThere = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'])

function looked<Result>(path: string, look: () => Result): Result | undefined {
  try {
    return look()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (nothingThere.has(code)) return undefined
    throw new Problem({
      type: 'configuration',
      code: 'not_found',
      message: `/${path} can't be read (${code})`,
      cause: error,
    })
  }
}
