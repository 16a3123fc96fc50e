/** The files of a chart that are neither templates nor its own papers: what templates see as `.Files`. */
import { normalize } from 'node:path/posix'
import type { FileSource } from '#formats/template/render.ts'
import type { Tree } from '#model/tree.ts'
import { join } from './chart-tree.ts'

const papers = new Set(['Chart.yaml', 'Chart.lock', 'values.yaml', 'values.schema.json'])

/** `missing` hears of files that a template asked for by name and that are not there. */
export function chartFiles(
  tree: Tree,
  folder: string,
  missing: (path: string) => void,
): FileSource {
  return {
    names: () =>
      tree
        .list(folder)
        .map((path) => path.slice(folder === '' ? 0 : folder.length + 1))
        .filter(isFile),
    read(name) {
      const content = isFile(name) ? tree.read(join(folder, name)) : undefined
      if (content === undefined) missing(join(folder, name))
      return content
    },
  }
}

/** A path that leaves the chart is the name of no file of it. */
function isFile(name: string): boolean {
  if (name === '' || name !== normalize(name) || /^(?:\/|\.\.(?:\/|$))/.test(name)) return false
  if (papers.has(name) || name.startsWith('templates/')) return false
  return !name.startsWith('charts/') || name.endsWith('.prov')
}
