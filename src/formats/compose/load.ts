/** Loads a Compose project: files in, the resolved model out. All reading goes through the port that the caller gives. */
import type { Place } from './source.ts'
import { resolve } from 'node:path/posix'
import { failure, fileFailure } from './compose-error.ts'
import { checkConfinement } from './confinement.ts'
import { checkConsistency } from './consistency.ts'
import { serviceHashes } from './hash.ts'
import { loadModel } from './load-model.ts'
import { placesIn } from './locate.ts'
import {
  toJson,
  withoutEntry,
  withEntry,
  map,
  mapAt,
  type JsonObject,
  type MapNode,
  type Node,
} from './node.ts'
import { normalize } from './normalize.ts'
import { projectNameOf } from './project-name.ts'
import { decodeProject, objectIn, projectJson, withoutUnused, type Project } from './project.ts'
import type { Release } from './release.ts'
import { secretValue } from './resolve-sources.ts'
import { withEnvFiles, withLabelFiles } from './service-files.ts'
import {
  absolute,
  confine,
  variableIn,
  type ComposeFiles,
  type Environment,
  type Session,
} from './session.ts'
import { positionAt, type Position } from './source.ts'
import { surroundingsOf } from './surroundings.ts'
import { uniqueContainerNames } from './container-names.ts'

export type LoadOptions = {
  /** the docker compose whose behaviour is followed; 5 unless said */
  readonly release?: Release
  readonly files: ComposeFiles
  /** where the command runs */
  readonly workingDirectory: string
  readonly projectDirectory?: string
  /** in order; empty: compose.yaml and its like are looked for upwards */
  readonly configFiles: readonly string[]
  readonly envFiles: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly home: string
  readonly projectName?: string
  readonly profiles: readonly string[]
  readonly interpolate: boolean
  /** everything that the files name must be in this directory; links are the port's business */
  readonly confinedTo?: string
  /** but for what is bound into containers: the caller judges that himself */
  readonly bindsAnywhere?: boolean
  /** these are on unless switched off */
  readonly normalize?: boolean
  readonly checkConsistency?: boolean
  readonly resolvePaths?: boolean
  /** `env_file` is read into `environment`; release 2 does so always */
  readonly resolveEnvironment?: boolean
  readonly removeUnused?: boolean
}

export type Loaded = {
  /** as `config --format json` prints it, before dollar signs are doubled */
  readonly project: JsonObject
  /** those that services use, which `config` prints in YAML alone */
  readonly models: JsonObject
  /** services that no active profile selects */
  readonly inactive: readonly string[]
  readonly warnings: readonly string[]
  /** Where a warning was first found, if that is one place. */
  readonly warnedAt: (warning: string) => Position | undefined
  /** Variables that were asked for and are not set, also where a default stood in. */
  readonly missing: readonly string[]
  /** Variables that were put into the files, with their values. */
  readonly used: ReadonlyMap<string, string>
  /** What docker compose passes over without a word. */
  readonly unheeded: readonly { readonly text: string; readonly at: Position }[]
  readonly workingDirectory: string
  readonly configFiles: readonly string[]
  /** As `config --hash` prints them: in release 2 what `env_file` sets does not count. */
  readonly hashes: () => Readonly<Record<string, string>>
  /** As `up` writes them on containers: what `env_file` sets counts as `environment`. */
  readonly containerHashes: (release?: Release) => Readonly<Record<string, string>>
  /** As release 2 prints them with `config --hash`. */
  readonly formerHashes: () => Readonly<Record<string, string>>
  readonly release: Release
  readonly positionOf: (path: readonly (string | number)[]) => Position | undefined
  /** what a config or secret holds, wherever it comes from; undefined when it is external or has none */
  readonly contentOf: (kind: 'configs' | 'secrets', name: string) => Uint8Array | undefined
}

/** Throws a ComposeError with all problems that could be found. */
export function loadCompose(options: LoadOptions): Loaded {
  const session = sessionOf(options)
  const surroundings = surroundingsOf(session, {
    projectDirectory: options.projectDirectory,
    configFiles: options.configFiles,
    envFiles: options.envFiles,
    environment: options.environment,
  })
  const { configFiles, workingDirectory } = surroundings
  if (configFiles.length === 0) {
    throw fileFailure(
      workingDirectory,
      'there is no Compose file here or above',
      'create compose.yaml',
    )
  }
  const normalizes = options.normalize !== false
  const name = projectNameOf(session, surroundings, options.projectName, normalizes)
  if (name === '')
    throw fileFailure(workingDirectory, 'the project has no name', 'set name: in the Compose file')
  // The reference knows no variables at all when it is told not to interpolate.
  const known = options.interpolate ? surroundings.environment : []
  const environment = new Map(known).set('COMPOSE_PROJECT_NAME', name)
  const model = loadModel({
    session,
    environment,
    files: configFiles.map((path) => ({ path, place: undefined })),
    workingDirectory,
    fileDirectory: workingDirectory,
    included: [],
    resolvesPaths: options.resolvePaths !== false,
  })
  if (model.entries.size === 0) throw fileFailure(configFiles[0]!, 'the Compose file is empty')
  const lookup = variableIn(session, environment)
  const root = normalizes ? normalize(model, name, lookup) : model
  const loading: Resolving = { options, session, environment, root, name }
  return loadedFrom(loading, { workingDirectory, configFiles })
}

type Resolving = {
  readonly options: LoadOptions
  readonly session: Session
  readonly environment: Environment
  readonly root: MapNode
  readonly name: string
}

function sessionOf(options: LoadOptions): Session {
  const warnings = new Set<string>()
  const warnedAt = new Map<string, Place>()
  return {
    release: options.release ?? 5,
    files: readOnce(options.files),
    directory: options.workingDirectory,
    home: options.home,
    confinedTo: options.confinedTo,
    trusted: new Set(
      [...options.configFiles, ...options.envFiles].map((path) =>
        resolve(options.workingDirectory, path),
      ),
    ),
    interpolates: options.interpolate,
    warnings,
    warnedAt,
    warn(message, place) {
      if (place !== undefined && !warnings.has(message)) warnedAt.set(message, place)
      warnings.add(message)
    },
    unheeded: new Map(),
    missing: new Set(),
    used: new Map(),
    documents: new Map(),
  }
}

/** One load sees one state of every file, however often it asks. */
function readOnce(files: ComposeFiles): ComposeFiles {
  const known = new Map<string, Uint8Array | undefined>()
  return {
    isDirectory: (path) => files.isDirectory(path),
    leadsOut: (path) => files.leadsOut?.(path),
    read(path) {
      if (!known.has(path)) known.set(path, files.read(path))
      return known.get(path)
    },
  }
}

function loadedFrom(
  resolving: Resolving,
  about: Pick<Loaded, 'workingDirectory' | 'configFiles'>,
): Loaded {
  const { options, session, environment, root } = resolving
  const { release } = session
  const placeOf = placesIn(root)
  const checked = options.interpolate ? checkedProject(resolving) : undefined
  const resolves = release === 2 || options.resolveEnvironment !== false
  const complete = resolves
    ? checked && withEnvFiles(checked, session, environment, placeOf)
    : checked
  const kept = complete && keptProject(complete, resolving)
  const project = kept === undefined ? printable(root, release) : projectJson(kept, release)
  const platform = environment.get('DOCKER_DEFAULT_PLATFORM')
  return {
    ...about,
    release,
    project,
    models: kept?.models ?? {},
    inactive: Object.keys(checked?.disabled ?? {}),
    warnings: [...session.warnings],
    warnedAt(warning) {
      const place = session.warnedAt.get(warning)
      return place && positionAt(place)
    },
    missing: [...session.missing].toSorted(),
    used: session.used,
    unheeded: [...session.unheeded].map(([text, place]) => ({ text, at: positionAt(place) })),
    hashes() {
      const unread = checked ?? checkedProject(resolving)
      const hashed = release === 2 ? unread : (complete ?? completeProject(resolving))
      return serviceHashes(hashed, platform, release)
    },
    formerHashes: () => serviceHashes(checked ?? checkedProject(resolving), platform, 2),
    containerHashes: (as = release) =>
      serviceHashes(complete ?? completeProject(resolving), platform, as),
    positionOf(path) {
      const place = placeOf(path)
      return place === undefined ? undefined : positionAt(place)
    },
    contentOf: (kind, name) => contentOf(resolving, kind, name),
  }
}

/** Decoded and checked, labels read; variables of `env_file` are not, since printed hashes do without them. */
function checkedProject({ options, session, environment, root, name }: Resolving): Project {
  const placeOf = placesIn(root)
  const profiles =
    options.profiles.length > 0
      ? options.profiles
      : (environment.get('COMPOSE_PROFILES') ?? '').split(',')
  const decoded = decodeProject(
    root,
    name,
    profiles.map((profile) => profile.trim()),
    session,
  )
  const checked = options.checkConsistency === false ? decoded : checkConsistency(decoded, placeOf)
  checkConfinement(checked, session, placeOf, options.bindsAnywhere === true)
  return withLabelFiles(checked, session, placeOf)
}

function completeProject(resolving: Resolving): Project {
  const { session, environment, root } = resolving
  return withEnvFiles(checkedProject(resolving), session, environment, placesIn(root))
}

function keptProject(complete: Project, { options, root }: Resolving): Project {
  if (options.checkConsistency !== false) uniqueContainerNames(complete, placesIn(root))
  return options.removeUnused === false ? complete : withoutUnused(complete)
}

/** The model as it stands when nothing is interpolated, without the values of secrets. */
function printable(root: MapNode, release: Release): JsonObject {
  const secrets = mapAt(root, 'secrets')
  const hidden = new Map<string, Node>()
  for (const [name, secret] of secrets?.entries ?? []) {
    hidden.set(name, secret.kind === 'map' ? withoutEntry(secret, secretValue) : secret)
  }
  const shown =
    secrets === undefined ? root : withEntry(root, 'secrets', map(hidden, secrets.place))
  return objectIn({ root: toJson(shown, release) }, 'root')
}

function contentOf(
  { session, root }: Resolving,
  kind: 'configs' | 'secrets',
  name: string,
): Uint8Array | undefined {
  const resource = mapAt(mapAt(root, kind) ?? root, name)
  if (resource === undefined) return undefined
  const value = resource.entries.get(kind === 'secrets' ? secretValue : 'content')
  if (value?.kind === 'text') return new TextEncoder().encode(value.value)
  const file = resource.entries.get('file')
  if (file?.kind !== 'text') return undefined
  confine(session, file.value, file.place)
  const bytes = session.files.read(absolute(session, file.value))
  if (bytes === undefined) throw failure(file.place, `${file.value} does not exist`)
  return bytes
}
