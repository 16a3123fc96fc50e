/** The files of a snapshot as kustomize sees them: with folders by name, and without what is ignored. */
import type { Files } from '#formats/kustomize/build.ts'
import { fail } from '#formats/kustomize/error.ts'
import { Problem } from '#model/problem.ts'
import type { Tree } from '#model/tree.ts'
import type { Witness } from '#sources/inputs.ts'
import { withoutIgnored } from './source-ignore.ts'

export type FilesMeant = {
  /** Rules that the source has in place of Flux's usual list. */
  readonly ignore?: string | undefined
  /** Only files in these folders count. */
  readonly only?: readonly string[] | undefined
  /** Every file counts: nothing is ignored. */
  readonly isWhole?: boolean | undefined
}

export function filesOf({ tree: all, isFolder }: Witness, meant: FilesMeant = {}): Files {
  const { only = [] } = meant
  const tree = treeMeant(all, meant)
  const children = new Map<string, readonly string[]>()
  return {
    read: (path) => tree.read(path),
    isDirectory: (path) => isFolder(path) && leadsTo(path, only),
    list(path) {
      const known = children.get(path) ?? childrenOf(tree, path)
      children.set(path, known)
      return known
    },
  }
}

/** What can't be read (a link that leads out, say) becomes a problem of the build, which knows the line that asks for it. */
export function toldByBuild(files: Files): Files {
  return {
    ...files,
    read(path) {
      try {
        return files.read(path)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return fail(error.message)
      }
    },
  }
}

export function treeMeant(tree: Tree, { ignore, only = [], isWhole = false }: FilesMeant): Tree {
  return isWhole ? tree : withoutIgnored(within(only, tree), ignore)
}

function within(folders: readonly string[], tree: Tree): Tree {
  if (folders.length === 0) return tree
  const isIn = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`))
  return {
    root: tree.root,
    list: (folder) => tree.list(folder).filter(isIn),
    read: (path) => (isIn(path) ? tree.read(path) : undefined),
  }
}

/** Whether a path is in one of the folders, or on the way to one. */
function leadsTo(path: string, folders: readonly string[]): boolean {
  if (folders.length === 0 || path === '') return true
  return folders.some((one) => `${path}/`.startsWith(`${one}/`) || one.startsWith(`${path}/`))
}

function childrenOf(tree: Tree, folder: string): readonly string[] {
  const start = folder === '' ? 0 : folder.length + 1
  const names = tree.list(folder).map((file) => file.slice(start).split('/', 1)[0] ?? '')
  return [...new Set(names)]
}
