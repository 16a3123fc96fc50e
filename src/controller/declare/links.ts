/** Links in a tree that can't be followed: what stands behind them does not count as gone. */
import type { Declared, Discovery } from '#model/declaration.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Tree } from '#model/tree.ts'
import { wanted } from './folders.ts'
import { troubleOf } from './written.ts'

export function badLink(file: string): ProblemFacts {
  return troubleOf({
    message: `${file} is a link that leads nowhere or out of the repository`,
    suggestion: 'put the file itself there, or remove the link; until then nothing is removed',
    at: { file, line: 1, column: 1 },
  })
}

/** One that bars the way to an application: its folder, or the file that tells of it (`usual`), where no other does. */
export function linkBefore(
  { path, files }: Declared,
  tree: Tree,
  usual: readonly string[],
): string | undefined {
  const links = new Set(tree.badLinks?.() ?? [])
  if (links.size === 0) return undefined
  const within = (name: string): string => (path === '' ? name : `${path}/${name}`)
  const parts = path.split('/')
  const folders = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  const names = files.length === 0 ? usual : files
  const there = new Set(tree.list(path))
  if (names.some((name) => there.has(within(name)))) return undefined
  return [...folders, ...names.map(within)].find((one) => links.has(one))
}

/** Where an application may stand behind: one of the telling files, or a whole folder. */
export function linksOf(
  { path: root, depth, include, exclude }: Discovery,
  tree: Tree,
  telling: ReadonlySet<string>,
): readonly { readonly file: string; readonly folder: string }[] {
  const start = root === '' ? 0 : root.length + 1
  const isWanted = wanted(include, exclude)
  return (tree.badLinks?.() ?? [])
    .filter((file) => root === '' || file.startsWith(`${root}/`))
    .map((file) => {
      const cut = file.lastIndexOf('/')
      const name = file.slice(cut + 1)
      const folder = telling.has(name) ? file.slice(start, Math.max(start, cut)) : file.slice(start)
      return { file, folder, mayBeOne: telling.has(name) || !name.includes('.') }
    })
    .filter(({ folder, mayBeOne }) => {
      const isDeep = folder.split('/').length > depth
      return mayBeOne && folder !== '' && !isDeep && !/(^|\/)\./.test(folder) && isWanted(folder)
    })
}
