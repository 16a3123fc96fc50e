/** The template files of a chart and its subcharts, each under the name that Helm gives it, with the data it sees. */
import type { Tree } from '#model/tree.ts'
import { join, type ChartNode } from './chart-tree.ts'

/** What templates see beside their own name. */
type TemplateData = { readonly [key: string]: unknown }

export type TemplateSource = {
  /** `my-app/templates/web.yaml`, `my-app/charts/db/templates/db.yaml`: with aliases, not with folders. */
  readonly name: string
  /** Where the file is in the chart's folder. */
  readonly path: string
  readonly text: string
  /** A manifest is rendered, a definition only serves others, notes are for people. */
  readonly role: 'manifest' | 'definition' | 'notes'
  readonly data: TemplateData
}

/** A chart with what its templates see. */
export type DataNode = {
  readonly node: ChartNode
  readonly data: TemplateData
  readonly children: readonly DataNode[]
}

type TemplateSources = {
  readonly sources: readonly TemplateSource[]
  readonly warnings: readonly string[]
}

export function templateSources(tree: Tree, root: DataNode): TemplateSources {
  const sources: TemplateSource[] = []
  const warnings = new Set<string>()
  function collect({ node, data, children }: DataNode, name: string): void {
    for (const path of tree.list(join(node.folder, 'templates'))) {
      const inside = path.slice(node.folder === '' ? 0 : node.folder.length + 1)
      const role = roleOf(path, node)
      if (role === undefined) {
        if (!node.isLibrary) warnings.add(leftOut(path))
        continue
      }
      if (role === 'notes' && node.folder !== '') continue
      const text = Buffer.from(tree.read(path) ?? []).toString('utf8')
      const base = `${name}/templates`
      const own = { ...data, Template: { Name: `${name}/${inside}`, BasePath: base } }
      sources.push({ name: `${name}/${inside}`, path, text, role, data: own })
    }
    for (const child of children) collect(child, `${name}/charts/${child.node.name}`)
  }
  collect(root, root.node.name)
  return { sources, warnings: [...warnings] }
}

/** Files whose name ends in .tpl, or begins with _, only define; of a library nothing else counts. */
function roleOf(path: string, { isLibrary }: ChartNode): TemplateSource['role'] | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1)
  if (/\.(?:ya?ml|tpl)$/.test(file) && (file.startsWith('_') || file.endsWith('.tpl')))
    return 'definition'
  if (isLibrary) return file.startsWith('_') ? 'definition' : undefined
  if (path.endsWith('templates/NOTES.txt')) return 'notes'
  return /\.ya?ml$/.test(file) ? 'manifest' : undefined
}

function leftOut(path: string): string {
  return `${path} is not rendered: manifests end in .yaml or .yml, definitions in .tpl`
}
