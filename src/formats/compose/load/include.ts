/** `include`: other Compose files with their own directory and variables, whose resources join those of this file. */
import { dirname, isAbsolute } from 'node:path/posix'
import { failure } from '../compose-error.ts'
import { joined, relativeTo } from './file-path.ts'
import {
  describe,
  map,
  mapAt,
  mapOf,
  sameNode,
  withEntry,
  withoutEntry,
  type MapNode,
  type Node,
  type TextNode,
} from '../yaml/node.ts'
import { readEnvFiles } from './env-files.ts'
import { mergeModels } from '../merge/merge.ts'
import { withoutCleared } from '../merge/reset-and-override.ts'
import { refuseRemote } from './remote.ts'
import { absolute, confine, isFile, type Environment, type Session } from './session.ts'
import type { Path } from '../merge/path-rules.ts'
import type { SourceLocation } from '../yaml/source.ts'

type Including = {
  readonly session: Session
  readonly environment: Environment
  /** the directory of the model being loaded, which may be relative inside an included file */
  readonly workingDirectory: string
  /** where relative paths of `path` start */
  readonly fileDirectory: string
  /** the files that are being included, outermost first */
  readonly included: readonly string[]
  /** what the including file resets */
  readonly cleared: readonly Path[]
}

export type Included = Omit<Including, 'cleared'> & {
  readonly files: readonly { path: string; place: SourceLocation }[]
}

export function applyIncludes(
  root: MapNode,
  from: Including,
  loadModel: (included: Included) => MapNode,
): MapNode {
  const node = root.entries.get('include')
  if (node === undefined) return root
  let result = withoutEntry(root, 'include')
  if (node.kind === 'null') return result
  if (node.kind !== 'list')
    throw failure(node.place, `include must be a list, not ${describe(node)}`)
  for (const [index, item] of node.items.entries()) {
    result = importInto(result, loadModel(resolve(entryOf(item, index), from)), from)
  }
  return result
}

type Entry = {
  readonly paths: readonly TextNode[]
  readonly envFiles: readonly TextNode[]
  readonly projectDirectory: TextNode | undefined
  readonly place: SourceLocation
}

function entryOf(item: Node, index: number): Entry {
  const { place } = item
  if (item.kind === 'text')
    return { paths: [item], envFiles: [], projectDirectory: undefined, place }
  if (item.kind !== 'map') {
    throw failure(place, `include.${index} must be a path or a mapping, not ${describe(item)}`)
  }
  const directory = item.entries.get('project_directory')
  if (directory !== undefined && directory.kind !== 'text' && directory.kind !== 'null') {
    throw failure(directory.place, `include.${index}.project_directory must be a path`)
  }
  return {
    paths: textsIn(item, 'path', index),
    envFiles: textsIn(item, 'env_file', index),
    projectDirectory: directory?.kind === 'text' && directory.value !== '' ? directory : undefined,
    place,
  }
}

function textsIn(item: MapNode, key: string, index: number): readonly TextNode[] {
  const node = item.entries.get(key)
  if (node === undefined || node.kind === 'null') return []
  const items = node.kind === 'list' ? node.items : [node]
  return items.map((entry) => {
    if (entry.kind === 'text') return entry
    throw failure(entry.place, `include.${index}.${key} must be a path or a list of paths`)
  })
}

/** The first path decides about the directory; the others are overrides of it. */
function resolve(entry: Entry, from: Including): Included {
  const { session, fileDirectory } = from
  const files = entry.paths.map(({ value, place }) => {
    refuseRemote(value, place)
    const path = isAbsolute(value) ? value : joined(fileDirectory, value)
    confine(session, path, place)
    checkCircle(path, from.included, place)
    return { path, place }
  })
  const directory = directoriesOf(entry, files[0]?.path, from)
  const environment = new Map(from.environment)
  const envFiles = envFilesOf(entry, directory.project, from)
  for (const [name, value] of readEnvFiles(session, envFiles, from.environment)) {
    if (!environment.has(name)) environment.set(name, value)
  }
  return {
    session,
    environment,
    files,
    workingDirectory: directory.working,
    fileDirectory: directory.project,
    included: from.included,
  }
}

function checkCircle(path: string, included: readonly string[], place: SourceLocation): void {
  if (!included.includes(path)) return
  const way = [...included, path].join(', which includes ')
  throw failure(place, `files include each other in a circle: ${way}`)
}

function directoriesOf(
  entry: Entry,
  main: string | undefined,
  { session, fileDirectory, workingDirectory }: Including,
): { working: string; project: string } {
  const own = entry.projectDirectory
  if (own === undefined) {
    const project = main === undefined ? '' : dirname(main)
    return { project, working: relativeTo(fileDirectory, project) ?? project }
  }
  confine(
    session,
    isAbsolute(own.value) ? own.value : joined(workingDirectory, own.value),
    own.place,
  )
  if (isAbsolute(own.value)) return { project: own.value, working: own.value }
  const full = joined(fileDirectory, own.value)
  const existing = session.files.isDirectory(absolute(session, full)) ? full : dirname(full)
  return {
    project: joined(workingDirectory, own.value),
    working: relativeTo(fileDirectory, existing) ?? existing,
  }
}

function envFilesOf(
  entry: Entry,
  project: string,
  { session, workingDirectory }: Including,
): { path: string; place: SourceLocation }[] {
  if (entry.envFiles.length > 0) {
    return entry.envFiles.map(({ value, place }) => ({
      path: isAbsolute(value) ? value : joined(workingDirectory, value),
      place,
    }))
  }
  const path = joined(project, '.env')
  return isFile(session, path) ? [{ path, place: entry.place }] : []
}

const sections = ['services', 'volumes', 'networks', 'secrets', 'configs', 'models']

/** What both have, differently: in release 5 the including file lies over the included one, in release 2 it is an error. */
function importInto(root: MapNode, imported: MapNode, { session, cleared }: Including): MapNode {
  let result = root
  for (const section of sections) {
    const from = imported.entries.get(section)
    if (from?.kind !== 'map') continue
    const to = result.entries.get(section)
    if (to !== undefined && to.kind !== 'map')
      throw failure(to.place, `${section} must be a mapping`)
    const entries = new Map(to?.entries)
    for (const [name, resource] of from.entries) {
      const own = entries.get(name)
      if (own === undefined || sameNode(own, resource)) {
        entries.set(name, resource)
        continue
      }
      if (session.release === 2) {
        const message = `${section}.${name} is also defined, differently, in an included file`
        throw failure(
          own.place,
          message,
          'rename one, or change it in an override file of the include',
        )
      }
      const alone = (node: Node) => mapOf({ [section]: mapOf({ [name]: node }, place) }, place)
      const { place } = own
      const base = withoutCleared(alone(resource), cleared)
      const merged = mapAt(mergeModels(base, alone(own), session.release), section)
      entries.set(name, merged?.entries.get(name) ?? own)
    }
    result = withEntry(result, section, map(entries, to?.place ?? from.place))
  }
  return result
}
