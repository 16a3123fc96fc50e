/** Loads a Compose project: files in, the resolved model out. All reading goes through the port that the caller gives. */
import { resolve } from 'node:path/posix'
import { ComposeError, fileFailure, inOtherWords } from '../compose-error.ts'
import { checkConfinement } from './confinement.ts'
import { checkConsistency } from '../schema/consistency.ts'
import { contentOf } from './file-content.ts'
import { serviceHashes } from '../canonical/config-hash.ts'
import { joinedTexts } from '../canonical/joined-hash.ts'
import { loadModel } from './load-model.ts'
import { placesIn } from './locate.ts'
import type { Json, JsonObject, MapNode } from '../yaml/node.ts'
import { normalize } from '../canonical/normalize.ts'
import { projectNameOf } from './project-name.ts'
import {
  decodeProject,
  projectJson,
  withoutUnused,
  writtenProject,
  type Project,
} from '../project.ts'
import type { Release } from '../canonical/release.ts'
import { printable } from '../canonical/printable.ts'
import { secretsOf, withoutSecrets, wordedAt } from './secrets.ts'
import { withEnvFiles, withLabelFiles } from './service-files.ts'
import { valueAt } from './value-at.ts'
import { variableIn, type ComposeFiles, type Environment, type Session } from './session.ts'
import { positionAt, type SourceLocation, type Position } from '../yaml/source.ts'
import { surroundingsOf } from './load-options.ts'
import { uniqueContainerNames } from '../schema/container-names.ts'
import { defined } from '#model/defined.ts'

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
  /** what `~` means; undefined: nobody's, and a path that begins with it is refused */
  readonly home: string | undefined
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
  /** whether a variable's value may not be quoted in messages; unset: all may */
  readonly isSecret?: (name: string, value: string) => boolean
}

export type Loaded = {
  /** The resolved model, as this release of docker compose has it. Throws a ComposeError for what only interpolation could make right. */
  readonly project: () => Project
  /** as `config --format json` prints it, before dollar signs are doubled */
  readonly printed: JsonObject
  /** services that no active profile selects */
  readonly inactive: readonly string[]
  readonly warnings: readonly string[]
  /** Where a warning was first found, if that is one place. */
  readonly warnedAt: (warning: string) => Position | undefined
  /** Variables that were asked for and are not set, also where a default stood in. */
  readonly missing: readonly string[]
  /** Variables that were put into the files, with their values. */
  readonly used: ReadonlyMap<string, string>
  /** Values of those of them that are secret. */
  readonly secrets: ReadonlySet<string>
  /** Whether a variable of a service comes from its `env_file` alone. */
  readonly isFromEnvFile: (service: string, name: string) => boolean
  /** What docker compose passes over without a word. */
  readonly unheeded: readonly { readonly text: string; readonly at: Position }[]
  readonly workingDirectory: string
  readonly configFiles: readonly string[]
  /** As `config --hash` prints them: in release 2 what `env_file` sets does not count. */
  readonly hashes: () => Readonly<Record<string, string>>
  /** As `up` writes them on containers: what `env_file` sets counts as `environment`. */
  readonly containerHashes: (release?: Release) => Readonly<Record<string, string>>
  /** What is hashed of those that use something of another container, for `joinedHash`. */
  readonly joinedTexts: (release?: Release) => Readonly<Record<string, string>>
  /** As release 2 prints them with `config --hash`. */
  readonly formerHashes: () => Readonly<Record<string, string>>
  readonly release: Release
  readonly positionOf: (path: readonly (string | number)[]) => Position | undefined
  /** What is said of the value at a path, without the value if a secret was put into it. */
  readonly worded: (path: readonly (string | number)[], message: string) => string
  /** What the files say under a key of their own (`x-…`), which is no part of the project. */
  readonly extensionOf: (path: readonly (string | number)[]) => Json | undefined
  /** what a config or secret holds, wherever it comes from; undefined when it is external or has none */
  readonly contentOf: (kind: 'configs' | 'secrets', name: string) => Uint8Array | undefined
}

/** Throws a ComposeError with all problems that could be found, none of which quotes a secret. */
export function loadCompose(options: LoadOptions): Loaded {
  const session = sessionOf(options)
  try {
    return loadedIn(session, options)
  } catch (error) {
    if (!(error instanceof ComposeError)) throw error
    throw inOtherWords(error, (text) => withoutSecrets(text, session.secrets))
  }
}

function loadedIn(session: Session, options: LoadOptions): Loaded {
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
  session.isSecret = secretsOf(session.isSecret, environment)
  const model = loadModel({
    session,
    environment,
    files: configFiles.map((path) => ({ path, place: undefined })),
    workingDirectory,
    fileDirectory: workingDirectory,
    included: [],
    resolvesPaths: options.resolvePaths !== false,
  })
  if (model.entries.size === 0)
    throw fileFailure(defined(configFiles[0]), 'the Compose file is empty')
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
  const warnedAt = new Map<string, SourceLocation>()
  const secrets = new Set<string>()
  const encrypted = new Set<string>()
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
    warn(text, place) {
      const message = wordedAt(place, text, { secrets })
      if (place !== undefined && !warnings.has(message)) warnedAt.set(message, place)
      warnings.add(message)
    },
    unheeded: new Map(),
    missing: new Set(),
    used: new Map(),
    isSecret: (name, value) => encrypted.has(name) || options.isSecret?.(name, value) === true,
    encrypted,
    secrets,
    fromEnvFiles: new Map(),
    documents: new Map(),
  }
}

/** One load sees one state of every file, however often it asks. */
function readOnce(files: ComposeFiles): ComposeFiles {
  const known = new Map<string, Uint8Array | undefined>()
  return {
    isDirectory: (path) => files.isDirectory(path),
    leadsOut: (path) => files.leadsOut?.(path),
    opened: (path, bytes) => files.opened?.(path, bytes) ?? bytes,
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
  const project = complete && keptProject(complete, resolving)
  const platform = environment.get('DOCKER_DEFAULT_PLATFORM')
  const whole = () => complete ?? completeProject(resolving)
  return {
    ...about,
    release,
    project: () => project ?? keptProject(completeProject(resolving), resolving),
    printed: project === undefined ? printable(root, release) : projectJson(project),
    inactive: Object.keys(checked?.disabled ?? {}),
    warnings: [...session.warnings],
    warnedAt: (warning) => positionIf(session.warnedAt.get(warning)),
    missing: [...session.missing].toSorted(),
    used: session.used,
    secrets: session.secrets,
    isFromEnvFile: (service, variable) => session.fromEnvFiles.get(service)?.has(variable) ?? false,
    unheeded: [...session.unheeded].map(([text, place]) => {
      return { text: wordedAt(place, text, session), at: positionAt(place) }
    }),
    hashes() {
      const unread = checked ?? checkedProject(resolving)
      return serviceHashes(release === 2 ? unread : whole(), platform, release)
    },
    formerHashes: () => serviceHashes(checked ?? checkedProject(resolving), platform, 2),
    containerHashes: (as = release) => serviceHashes(whole(), platform, as),
    joinedTexts: (as = release) => joinedTexts(whole(), platform, as),
    positionOf: (path) => positionIf(placeOf(path)),
    worded: (path, message) => wordedAt(placeOf(path), message, session),
    extensionOf: (path) => valueAt(root, path, release),
    contentOf: (kind, name) => contentOf(session, root, kind, name),
  }
}

function positionIf(place: SourceLocation | undefined): Position | undefined {
  return place && positionAt(place)
}

/** Decoded and checked, labels read; variables of `env_file` are not, since printed hashes do without them. */
function checkedProject({ options, session, environment, root, name }: Resolving): Project {
  const placeOf = placesIn(root)
  const named = (environment.get('COMPOSE_PROFILES') ?? '').split(',')
  const asked = options.profiles.length > 0 ? options.profiles : named
  const profiles = asked.map((profile) => profile.trim())
  const decoded = decodeProject(root, name, profiles, session)
  const checked = options.checkConsistency === false ? decoded : checkConsistency(decoded, placeOf)
  checkConfinement(checked, session, placeOf, options.bindsAnywhere === true)
  return withLabelFiles(checked, session, placeOf)
}

function completeProject(resolving: Resolving): Project {
  const { session, environment, root } = resolving
  return withEnvFiles(checkedProject(resolving), session, environment, placesIn(root))
}

function keptProject(complete: Project, { options, session, root }: Resolving): Project {
  if (options.checkConsistency !== false) uniqueContainerNames(complete, placesIn(root))
  const kept = options.removeUnused === false ? complete : withoutUnused(complete)
  return writtenProject(kept, session.release)
}
