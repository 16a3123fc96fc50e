/** The files of a snapshot as kustomize sees them: folders by their names, what is ignored not there. */
import type { Files } from '#formats/kustomize/build.ts'
import type { Tree } from '#model/tree.ts'
import type { Witness } from '../inputs.ts'
import { withoutIgnored } from './source-ignore.ts'

/** `ignore`: what the source says instead of Flux's usual list. */
export function filesOf({ tree: all, isFolder }: Witness, ignore: string | undefined): Files {
  const tree = withoutIgnored(all, ignore)
  const children = new Map<string, readonly string[]>()
  return {
    read: (path) => tree.read(path),
    isDirectory: (path) => isFolder(path),
    list(path) {
      const known = children.get(path) ?? childrenOf(tree, path)
      children.set(path, known)
      return known
    },
  }
}

function childrenOf(tree: Tree, folder: string): readonly string[] {
  const start = folder === '' ? 0 : folder.length + 1
  const names = tree.list(folder).map((file) => file.slice(start).split('/', 1)[0] ?? '')
  return [...new Set(names)]
}
