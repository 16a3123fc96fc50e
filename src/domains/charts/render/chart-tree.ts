/** A chart with the charts in its folder `charts/`, each read as it stands. */
import { isList, isRecord } from '#model/json.ts'
import type { Place, ProblemFacts } from '#model/problem.ts'
import type { Tree } from '#model/tree.ts'
import { readChartFile, type ChartFile } from './chart-file.ts'
import { tableOf, type Table } from './coalesce.ts'
import { readValuesFile, type ValueSource } from './values.ts'

/** Changed while dependencies are worked out: then it has the name, children and values that count. */
export type ChartNode = {
  name: string
  readonly version: string
  /** '' for the chart itself, else as `charts/db`. */
  readonly folder: string
  readonly file: ChartFile
  readonly isLibrary: boolean
  values: Table
  /** Its values.yaml, for the places of values. */
  readonly source: ValueSource | undefined
  dependencies: readonly Dependency[]
  children: ChartNode[]
}

export type Dependency = {
  readonly name: string
  readonly alias: string | undefined
  readonly version: string | undefined
  readonly repository: string | undefined
  readonly conditions: readonly string[]
  readonly tags: readonly string[]
  readonly imports: readonly { readonly child: string; readonly parent: string }[]
  readonly at: Place
}

type ChartTree = {
  /** Undefined: there is nothing to go on with. */
  readonly root: ChartNode | undefined
  readonly problems: readonly ProblemFacts[]
  readonly warnings: readonly string[]
  readonly notes: readonly string[]
}

/** Deeper than any chart of use. */
const deepest = 10

/** `plain` gives the text of a file of values, opened where it is encrypted. */
export function readChartTree(
  tree: Tree,
  plain: (file: string, content: Uint8Array) => string = textOf,
): ChartTree {
  const problems: ProblemFacts[] = []
  const warnings: string[] = []
  const notes: string[] = []

  function read(folder: string, depth: number): ChartNode | undefined {
    const file = readChartFile(below(tree, folder))
    problems.push(...file.problems.map((problem) => placedIn(folder, problem)))
    warnings.push(...file.warnings.map((text) => (folder === '' ? text : `${folder}: ${text}`)))
    if (file.chart === undefined) return undefined
    const { source, problems: ofValues, notes: ofFile } = valuesIn(tree, folder, plain)
    problems.push(...ofValues, ...unknownParts(tree, folder))
    notes.push(...ofFile)
    if (file.fields['deprecated'] === true)
      warnings.push(`${file.chart.name}: its author says that this chart is deprecated`)
    return {
      name: file.chart.name,
      version: file.chart.version,
      folder,
      file,
      isLibrary: file.fields['type'] === 'library',
      values: tableOf(source?.values),
      source,
      dependencies: dependenciesOf(file, folder, problems),
      children: foldersIn(tree, folder).flatMap((child) => {
        if (depth < deepest) return read(child, depth + 1) ?? []
        problems.push(
          refused(
            `${child}/Chart.yaml`,
            'charts are nested too deeply',
            'at most 10 levels are read',
          ),
        )
        return []
      }),
    }
  }
  return { root: read('', 0), problems, warnings, notes }
}

/** The folder as a tree of its own. */
function below(tree: Tree, folder: string): Tree {
  if (folder === '') return tree
  return {
    root: `${tree.root}/${folder}`,
    list: (path) => tree.list(join(folder, path)).map((file) => file.slice(folder.length + 1)),
    read: (path) => tree.read(join(folder, path)),
  }
}

export function join(folder: string, path: string): string {
  return [folder, path].filter((part) => part !== '').join('/')
}

function placedIn(folder: string, problem: ProblemFacts): ProblemFacts {
  if (folder === '' || problem.at === undefined) return problem
  return { ...problem, at: { ...problem.at, file: join(folder, problem.at.file) } }
}

/** Names that begin with . or _ are no charts, as in Helm. */
function foldersIn(tree: Tree, folder: string): readonly string[] {
  const inside = join(folder, 'charts')
  const names = tree
    .list(inside)
    .map((file) => file.slice(inside.length + 1).split('/'))
    .filter((parts) => parts.length > 1 && !/^[._]/.test(parts[0] ?? ''))
    .map(([name = '']) => name)
  return [...new Set(names)].map((name) => join(inside, name))
}

function textOf(_file: string, content: Uint8Array): string {
  return Buffer.from(content).toString('utf8')
}

function valuesIn(
  tree: Tree,
  folder: string,
  plain: (file: string, content: Uint8Array) => string,
): { source?: ValueSource; problems: readonly ProblemFacts[]; notes: readonly string[] } {
  const name = join(folder, 'values.yaml')
  const written = tree.read(name)
  if (written === undefined) return { problems: [], notes: [] }
  return readValuesFile(name, plain(name, written))
}

function refused(file: string, message: string, suggestion: string): ProblemFacts {
  const at = { file, line: 1, column: 1 }
  return { type: 'configuration', code: 'chart_unreadable', message, at, suggestion }
}

/** What Helm would do something with, and nothing here does. */
function unknownParts(tree: Tree, folder: string): readonly ProblemFacts[] {
  const archives = tree
    .list(join(folder, 'charts'))
    .filter(
      (file) =>
        /\.(?:tgz|tar\.gz)$/.test(file) &&
        !file.slice(join(folder, 'charts/').length).includes('/'),
    )
    .map((file) =>
      refused(
        file,
        'a packed subchart is not unpacked',
        `unpack it: tar -xzf ${file} -C ${join(folder, 'charts')}, and remove the archive`,
      ),
    )
  const definitions = tree
    .list(join(folder, 'crds'))
    .filter((file) => /\.(?:ya?ml|json)$/.test(file))
    .slice(0, 1)
    .map((file) =>
      refused(
        file,
        'custom resource definitions are for Kubernetes; Podman has no such thing',
        `remove the folder ${join(folder, 'crds')}, or name it in .helmignore`,
      ),
    )
  const requirements =
    tree.read(join(folder, 'requirements.yaml')) === undefined
      ? []
      : [
          refused(
            join(folder, 'requirements.yaml'),
            'requirements.yaml is of Helm 2, and is not read',
            'move its dependencies: into Chart.yaml and remove the file',
          ),
        ]
  return [...archives, ...definitions, ...requirements]
}

function dependenciesOf(
  file: ChartFile,
  folder: string,
  problems: ProblemFacts[],
): readonly Dependency[] {
  const written = file.fields['dependencies']
  if (written === undefined || written === null) return []
  const place = (path: readonly (string | number)[]): Place => {
    const at = file.placeOf(['dependencies', ...path])
    return { ...at, file: join(folder, at.file) }
  }
  function bad(path: readonly (string | number)[], message: string, suggestion: string): void {
    const at = place(path)
    problems.push({ type: 'configuration', code: 'chart_unreadable', message, at, suggestion })
  }
  if (!isList(written)) {
    bad([], 'dependencies: expected a list', 'write each as - name: …')
    return []
  }
  const names = new Set<string>()
  return written.flatMap((entry, index) => {
    const name = isRecord(entry) ? text(entry['name']) : undefined
    if (!isRecord(entry) || name === undefined) {
      bad([index], `dependencies[${index}]: has no name`, 'write the name of a chart in charts/')
      return []
    }
    const alias = text(entry['alias'])
    if (alias !== undefined && !/^[a-zA-Z0-9_-]+$/.test(alias)) {
      const message = `dependencies[${index}].alias: ${JSON.stringify(alias)} is not a name`
      bad([index, 'alias'], message, 'use letters, digits, "-" and "_"')
      return []
    }
    if (names.has(alias ?? name)) {
      const message = `dependencies[${index}]: ${alias ?? name} is there twice`
      bad([index], message, 'give one of them another alias:')
      return []
    }
    names.add(alias ?? name)
    const { tags } = entry
    return [
      {
        name,
        alias,
        version: text(entry['version']),
        repository: text(entry['repository']),
        conditions: (text(entry['condition']) ?? '')
          .trim()
          .split(',')
          .filter((part) => part !== ''),
        tags: isList(tags) ? tags.flatMap((tag) => text(tag) ?? []) : [],
        imports: importsOf(entry['import-values']),
        at: place([index]),
      },
    ]
  })
}

function importsOf(written: unknown): Dependency['imports'] {
  if (!isList(written)) return []
  return written.flatMap((entry) => {
    if (typeof entry === 'string') return [{ child: `exports.${entry}`, parent: '.' }]
    if (!isRecord(entry)) return []
    return [{ child: text(entry['child']) ?? '', parent: text(entry['parent']) ?? '.' }]
  })
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
