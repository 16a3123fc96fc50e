/** Reading files for one kustomization: paths are relative to its folder, and lead out of it only where allowed. */
import { join } from 'node:path/posix'
import { KustomizeError, fail } from './error.ts'
import { isRemoteBase, isRemoteFile } from './remote.ts'

/** Paths are relative to the root of all files, with `/`; the root itself is the empty path. */
export type Files = {
  /** Undefined: there is no such file. */
  read(path: string): Uint8Array | undefined
  isDirectory(path: string): boolean
  /** Names of files and folders directly in a folder. */
  list(path: string): readonly string[]
  /** Where a path leads when all links are followed; undefined where it leads nowhere. Without it there are no links. */
  realPath?(path: string): string | undefined
}

export type LoadRestrictor = 'LoadRestrictionsRootOnly' | 'LoadRestrictionsNone'

export type Loader = {
  /** The folder, as a path from the root of all files; empty for the root. */
  readonly root: string
  /** The path of a file in the folder, from the root of all files. */
  pathOf(path: string): string
  bytes(path: string): Uint8Array
  text(path: string): string
  /** A loader for another folder, which must not contain this one or any that led here. */
  enter(path: string): Loader
  has(path: string): boolean
  /** Whether there is a file or a folder. */
  exists(path: string): boolean
}

export function rootLoader(files: Files, path: string, restrictor: LoadRestrictor): Loader {
  if (isRemoteBase(path)) refuseRemote(path)
  const root = cleaned('', path)
  requireDirectory(files, root)
  return loaderAt({ files, restrictor, root, visited: [root] })
}

type Setting = {
  readonly files: Files
  readonly restrictor: LoadRestrictor
  readonly root: string
  readonly visited: readonly string[]
}

function loaderAt(setting: Setting): Loader {
  const { files, root, restrictor, visited } = setting
  function pathOf(path: string): string {
    return cleaned(path.startsWith('/') ? '' : root, path)
  }
  function bytes(path: string): Uint8Array {
    if (isRemoteFile(path)) refuseRemote(path)
    const full = pathOf(path)
    if (files.isDirectory(full)) fail(`${shown(full)} is a folder, a file is wanted`)
    const real = realPathOf(files, full)
    if (isOutside(full)) {
      fail(`${path} is outside of ${shown(root)}; only files in or below that folder may be read`)
    }
    if (isOutside(real)) {
      fail(
        `${path} is a link to /${real}, outside of ${shown(root)}; only files in or below that folder may be read`,
      )
    }
    return files.read(real) ?? fail(`there is no file ${shown(full)}`)
  }
  function isOutside(full: string): boolean {
    return restrictor === 'LoadRestrictionsRootOnly' && !isWithin(full, root)
  }
  return {
    root,
    pathOf,
    bytes,
    text: (path) => decoder.decode(bytes(path)),
    has(path) {
      const real = realPathOf(files, pathOf(path))
      return !files.isDirectory(real) && !isOutside(real) && files.read(real) !== undefined
    },
    exists: (path) => files.isDirectory(pathOf(path)) || files.read(pathOf(path)) !== undefined,
    enter(path) {
      if (path === '') fail('the path of a folder is empty')
      if (isRemoteBase(path)) refuseRemote(path)
      if (path.startsWith('/')) fail(`${path} is absolute; paths start from ${shown(root)}`)
      const next = realPathOf(files, pathOf(path))
      requireDirectory(files, next)
      const inside = visited.find((one) => isWithin(one, next))
      if (inside !== undefined) {
        fail(`${shown(next)} contains ${shown(inside)}, which led here: that would never end`)
      }
      return loaderAt({ ...setting, root: next, visited: [...visited, next] })
    },
  }
}

/** As the loader of kustomize does it, links count for where they lead and not for where they lie. */
function realPathOf(files: Files, path: string): string {
  return files.realPath === undefined ? path : (files.realPath(path) ?? path)
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function requireDirectory(files: Files, path: string): void {
  if (files.isDirectory(path)) return
  const isFile = files.read(path) !== undefined
  fail(isFile ? `${shown(path)} is a file, a folder is wanted` : `there is no ${shown(path)}`)
}

/** Without `.` and `..`; a path that leaves the root of all files is refused, whatever the restrictor says. */
function cleaned(from: string, path: string): string {
  if (/^\w[\w.-]*$/.test(path)) return from === '' ? path : `${from}/${path}`
  const full = join('.', from, path.replace(/^\/+/, ''))
  if (full === '..' || full.startsWith('../')) fail(`${path} leads out of the files given`)
  const bare = full.replace(/(?<!\/)\/+$/, '')
  return bare === '.' ? '' : bare
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

export function shown(path: string): string {
  return path === '' ? '.' : path
}

function refuseRemote(path: string): never {
  throw new KustomizeError(
    `${path} is on another machine; put a copy into the repository`,
    undefined,
    'remote',
  )
}
