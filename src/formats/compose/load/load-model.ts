/** Compose files read one on top of the other into one model: the heart of the loader, and the order of its phases. */
import { dirname } from 'node:path/posix'
import { toCanonical } from '../canonical/canonical.ts'
import { withoutCleared } from '../merge/reset-and-override.ts'
import { failure, throwIfAny } from '../compose-error.ts'
import { checkSections, setDefaults } from '../canonical/defaults.ts'
import { applyExtends, type Book } from './extends.ts'
import { joined, relativeTo } from './file-path.ts'
import { applyIncludes, type Included } from './include.ts'
import { interpolate } from './interpolate.ts'
import { mergeModels } from '../merge/merge.ts'
import { map, withEntry, withoutEntry, type MapNode, type Node } from '../yaml/node.ts'
import { resolvePaths } from './paths.ts'
import { refuseRemote } from './remote.ts'
import { resolveSources } from './resolve-sources.ts'
import type { Path } from '../merge/path-rules.ts'
import { composeFile } from '../schema/file.ts'
import { checkSchema } from '../schema/check.ts'
import { confine, documentsOf, variableIn, type Environment, type Session } from './session.ts'
import { sourceOf, type SourceLocation } from '../yaml/source.ts'
import { keepLast } from '../merge/unique.ts'

export type Loading = {
  readonly session: Session
  readonly environment: Environment
  readonly files: readonly { readonly path: string; readonly place: SourceLocation | undefined }[]
  readonly workingDirectory: string
  readonly fileDirectory: string
  readonly included: readonly string[]
  readonly resolvesPaths: boolean
}

export function loadModel(loading: Loading): MapNode {
  const { session, environment, workingDirectory } = loading
  const start = { source: sourceOf(loading.files[0]?.path ?? '', ''), offset: 0, key: -1 }
  let model = map(new Map(), start)
  const stage: Stage = { ...loading, isBase: false, books: new Map() }
  for (const file of loading.files) model = loadFile(file.path, file.place, model, stage).model
  const filled = setDefaults(model)
  checkSections(filled)
  const base = { directory: workingDirectory, home: session.home }
  const resolved = loading.resolvesPaths ? resolvePaths(filled, base) : filled
  return resolveSources(asModel(resolved), environment)
}

type Stage = Loading & {
  /** the file is read only for services that others extend, so neither checked nor extended itself */
  readonly isBase: boolean
  /** those files, read once however many services extend from them */
  readonly books: Map<string, Book>
}

function loadFile(
  path: string,
  place: SourceLocation | undefined,
  onto: MapNode,
  stage: Stage,
): { model: MapNode; cleared: readonly Path[] } {
  let model = onto
  let cleared: readonly Path[] = []
  for (const document of documentsOf(stage.session, path, place)) {
    cleared = document.cleared
    model = addDocument(document.root, path, cleared, model, stage)
  }
  return { model, cleared }
}

function addDocument(
  document: Node,
  file: string,
  cleared: readonly Path[],
  onto: MapNode,
  stage: Stage,
): MapNode {
  const { session, environment } = stage
  if (document.kind !== 'map') throw failure(document.place, 'a Compose file must be a mapping')
  let own = document
  if (session.interpolates) {
    const lookup = variableIn(session, environment)
    own = asModel(interpolate(own, { ...session, lookup }))
  }
  if (!stage.isBase) own = withOthers(own, file, cleared, stage)
  const before = withoutCleared(onto, cleared)
  let model = asModel(keepLast(mergeModels(before, own, session.release)))
  if (!stage.isBase) model = validated(model, file, session)
  const canonical = toCanonical(model, { ...session, isLenient: !session.interpolates })
  return asModel(keepLast(canonical))
}

/** Release 2 extends first, so that what is included can't be extended; release 5 includes first. */
function withOthers(
  document: MapNode,
  file: string,
  cleared: readonly Path[],
  stage: Stage,
): MapNode {
  const { release } = stage.session
  const extend = (own: MapNode) =>
    applyExtends(own, file, cleared, (path, place) => loadBook(path, place, stage), release)
  const including = { ...stage, included: [...stage.included, file], cleared }
  const include = (own: MapNode) => applyIncludes(own, including, loadIncluded)
  return release === 2 ? include(extend(document)) : extend(include(document))
}

function validated(model: MapNode, file: string, session: Session): MapNode {
  throwIfAny(checkSchema(model, composeFile.rule, session.release))
  if (!model.entries.has('version')) return model
  session.warn(
    `${file}: the attribute \`version\` is obsolete, it will be ignored, please remove it to avoid potential confusion`,
  )
  return withoutEntry(model, 'version')
}

function loadIncluded(included: Included): MapNode {
  return loadModel({ ...included, resolvesPaths: true })
}

/** The services of another file, with paths that start where this model's do. */
function loadBook(path: string, place: SourceLocation, stage: Stage): Book {
  const { session, fileDirectory } = stage
  refuseRemote(path, place)
  const local = path.startsWith('/') ? path : joined(fileDirectory, path)
  confine(session, local, place)
  const known = stage.books.get(local)
  if (known !== undefined) return known
  const directory = relativeTo(fileDirectory, dirname(local)) ?? dirname(local)
  const empty = map(new Map(), place)
  const { model, cleared } = loadFile(local, place, empty, { ...stage, isBase: true })
  const services = model.entries.get('services')
  if (services?.kind !== 'map') throw failure(place, `${local} has no services to extend`)
  const resolved = resolvePaths(withEntry(empty, 'services', services), {
    directory,
    home: session.home,
  })
  const found = asModel(resolved).entries.get('services')
  const book = {
    file: local,
    services: new Map(found?.kind === 'map' ? found.entries : []),
    cleared,
  }
  stage.books.set(local, book)
  return book
}

function asModel(node: Node): MapNode {
  if (node.kind === 'map') return node
  throw failure(node.place, 'a Compose file must be a mapping')
}
