/** The folders of a tree that may hold an application, each with what tells so. */
import { matchesGlob } from 'node:path/posix'
import type { Discovery } from '#model/declaration.ts'
import type { KindDeclaration } from '#model/kind-declaration.ts'
import type { Tree } from '#model/tree.ts'

export const nestedName = 'tend.yaml'

/** Files that tell that their folder is, or may be, an application. */
export function tellingFiles(kinds: readonly KindDeclaration[]): ReadonlySet<string> {
  return new Set([...kinds.flatMap(({ discovery }) => discovery?.files ?? []), nestedName])
}

export type Folder = {
  /** From the discovery's own folder. */
  readonly path: string
  /** Which of the telling files it holds. */
  readonly names: ReadonlySet<string>
}

/** Sorted, those above before those below. Folders that begin with a dot are nobody's application. */
export function foldersOf(
  { path: root, depth, include, exclude }: Discovery,
  tree: Tree,
  telling: ReadonlySet<string>,
): readonly Folder[] {
  const start = root === '' ? 0 : root.length + 1
  const found = new Map<string, Set<string>>()
  for (const file of tree.list(root)) {
    const cut = file.lastIndexOf('/')
    const name = file.slice(cut + 1)
    if (cut <= start - 1 || !telling.has(name)) continue
    const path = file.slice(start, cut)
    if (path === '' || path.split('/').length > depth || /(^|\/)\./.test(path)) continue
    const names = found.get(path)
    if (names === undefined) found.set(path, new Set([name]))
    else names.add(name)
  }
  const isWanted = wanted(include, exclude)
  return [...found]
    .filter(([path]) => isWanted(path))
    .map(([path, names]) => ({ path, names }))
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
}

/** A pattern that fits a folder fits all below it. */
export function wanted(
  include: readonly string[],
  exclude: readonly string[],
): (path: string) => boolean {
  const fits = (path: string, patterns: readonly string[]) =>
    [...above(path), path].some((one) =>
      patterns.some((pattern) => matchesGlob(one, clean(pattern))),
    )
  return (path) => (include.length === 0 || fits(path, include)) && !fits(path, exclude)
}

function clean(pattern: string): string {
  return pattern.replace(/^\.\//, '').replace(/\/$/, '')
}

/** The folders that a folder lies in. */
export function above(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
