/** Reading files for one kustomization: paths are relative to its folder, and lead out of it only where allowed. */
import { join } from 'node:path/posix'
import { KustomizeError, fail } from '../error.ts'
import { isRemoteFile, remoteBaseOf, type RemoteBase } from './remote.ts'

/** Paths are relative to the root of all files, with `/`; the root itself is the empty path. */
export type Files = {
  /** Undefined: there is no such file. */
  read(path: string): Uint8Array | undefined
  isDirectory(path: string): boolean
  /** Names of files and folders directly in a folder. */
  list(path: string): readonly string[]
  /** Where a path leads when all links are followed; undefined where it leads nowhere. Without it there are no links. */
  realPath?(path: string): string | undefined
  /** Where the repository of a base on another machine lies among these files; undefined: it is not at hand. */
  remoteRoot?(base: string): string | undefined
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
  const base = remoteBaseOf(path)
  if (base !== undefined) return loaderOfRemote({ files, visited: [], clones: [] }, path, base)
  const root = cleaned('', path)
  requireDirectory(files, root)
  return loaderAt({ files, restrictor, root, visited: [root], clones: [] })
}

/** What comes from another machine may read nothing outside of its own folder, whatever was allowed before. */
function loaderOfRemote(
  { files, visited, clones }: Pick<Setting, 'files' | 'visited' | 'clones'>,
  path: string,
  { folder }: RemoteBase,
): Loader {
  const before = clones.find(({ raw }) => raw.startsWith(path))
  if (before !== undefined) fail(`${path} leads back to itself by ${before.raw}`)
  const mount = files.remoteRoot?.(path) ?? refuseRemote(path)
  const root = realPathOf(files, cleaned(mount, folder))
  if (!isWithin(root, mount)) fail(`${path} leads out of its repository`)
  requireDirectory(files, root)
  return loaderAt({
    files,
    restrictor: 'LoadRestrictionsRootOnly',
    root,
    visited: [...visited, root],
    clones: [...clones, { mount, raw: path }],
  })
}

type Setting = {
  readonly files: Files
  readonly restrictor: LoadRestrictor
  readonly root: string
  readonly visited: readonly string[]
  /** Repositories of other machines that led here, the innermost last. */
  readonly clones: readonly { readonly mount: string; readonly raw: string }[]
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
      const base = remoteBaseOf(path)
      if (base !== undefined) return loaderOfRemote(setting, path, base)
      if (path.startsWith('/')) fail(`${path} is absolute; paths start from ${shown(root)}`)
      const next = realPathOf(files, pathOf(path))
      const clone = setting.clones.at(-1)
      if (clone !== undefined && !isWithin(next, clone.mount)) {
        fail(`${path} leads out of the repository of ${clone.raw}`)
      }
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
    `${path} is on another machine and is not at hand; put a copy into the repository`,
    undefined,
    'remote',
  )
}
