/** What one load shares from its start to its end: the files, where it runs, what it warned of, and what it has read already. */
import { join } from 'node:path/posix'
import { ComposeError, failure, fileFailure } from '../compose-error.ts'
import { clean, isWithin } from './file-path.ts'
import type { Release } from '../canonical/release.ts'
import { sourceOf, type SourceLocation, type Source } from '../yaml/source.ts'
import { parseYaml, type YamlDocument } from '../yaml/tree.ts'

export type ComposeFiles = {
  /** a file by its absolute path, or undefined when there is none; throws a ComposeError when it may not be read */
  read(path: string): Uint8Array | undefined
  isDirectory(path: string): boolean
  /** where a path leads, when links on the way take it out of where the load is confined to */
  leadsOut?(path: string): string | undefined
  /**
   * the content of a file of variables or of a secret, in plain where it is encrypted; a text says why that can't be had.
   * Without it such files are taken as they are
   */
  opened?(path: string, content: Uint8Array): Uint8Array | string
}

export type Session = {
  /** the docker compose that is followed */
  readonly release: Release
  readonly files: ComposeFiles
  /** where relative paths of the command line start */
  readonly directory: string
  readonly home: string | undefined
  readonly confinedTo: string | undefined
  /** files that the caller named himself, wherever they are */
  readonly trusted: ReadonlySet<string>
  readonly interpolates: boolean
  readonly warnings: Set<string>
  /** where it was first found, for those that have a place */
  readonly warnedAt: Map<string, SourceLocation>
  readonly warn: (message: string, place?: SourceLocation) => void
  /** what docker compose passes over without a word, and where it was first found */
  readonly unheeded: Map<string, SourceLocation>
  /** variables that were asked for and not there, whether or not something stood in for them */
  readonly missing: Set<string>
  /** variables that were asked for and there, with their values */
  readonly used: Map<string, string>
  /** whether a variable's value must not be shown; sharper once all variables are known */
  isSecret: (name: string, value: string) => boolean
  /** names of variables that come out of an encrypted file */
  readonly encrypted: Set<string>
  /** values of those that were put into the files */
  readonly secrets: Set<string>
  /** for each service the variables that only its `env_file` sets */
  readonly fromEnvFiles: Map<string, ReadonlySet<string>>
  readonly documents: Map<string, readonly YamlDocument[]>
}

/** The value of a variable; what is missing is noted, and so is what is secret. */
export function variableIn(
  session: Session,
  environment: Environment,
): (name: string) => string | undefined {
  const { missing, used, secrets } = session
  return (name) => {
    const value = environment.get(name)
    if (value === undefined) missing.add(name)
    else {
      used.set(name, value)
      if (value !== '' && session.isSecret(name, value)) secrets.add(value)
    }
    return value
  }
}

export type Environment = ReadonlyMap<string, string>

export function absolute(session: Session, path: string): string {
  return clean(path.startsWith('/') ? path : join(session.directory, path))
}

/** Refuses what is outside the directory that the load is confined to, by its path or by a link on the way. */
export function confine(session: Session, path: string, place: SourceLocation | undefined): void {
  const { confinedTo, trusted, files } = session
  const full = absolute(session, path)
  if (confinedTo === undefined || trusted.has(full)) return
  const real = isWithin(confinedTo, full) ? files.leadsOut?.(full) : full
  if (real === undefined) return
  const what = real === full ? `"${path}"` : `"${path}" is a link to ${real}, which`
  const message = `${what} is outside ${confinedTo}`
  const advice = 'only files below that directory may be used here'
  throw place === undefined ? fileFailure(path, message, advice) : failure(place, message, advice)
}

export function isFile(session: Session, path: string): boolean {
  const full = absolute(session, path)
  return !session.files.isDirectory(full) && session.files.read(full) !== undefined
}

export function exists(session: Session, path: string, place?: SourceLocation): boolean {
  const full = absolute(session, path)
  return session.files.isDirectory(full) || bytesAt(session, full, place) !== undefined
}

/** What can't be read, a link that leads out say, is told with the line that asks for it. */
export function bytesAt(
  { files }: Session,
  full: string,
  place: SourceLocation | undefined,
): Uint8Array | undefined {
  try {
    return files.read(full)
  } catch (error) {
    if (place === undefined || !(error instanceof Error)) throw error
    const advice = 'suggestion' in error ? error.suggestion : undefined
    throw failure(place, error.message, typeof advice === 'string' ? advice : undefined)
  }
}

/** The text of a file that must be there. */
export function readText(
  session: Session,
  path: string,
  place: SourceLocation | undefined,
): string {
  return textIn(absolute(session, path), readBytes(session, path, place))
}

/** The same of a file that may be encrypted. */
export function readOpened(
  session: Session,
  path: string,
  place: SourceLocation | undefined,
): { readonly text: string; readonly isEncrypted: boolean } {
  const full = absolute(session, path)
  const bytes = readBytes(session, path, place)
  const plain = openedBytes(session, full, bytes, place)
  return { text: textIn(full, plain), isEncrypted: plain !== bytes }
}

export function openedBytes(
  { files }: Session,
  path: string,
  bytes: Uint8Array,
  place: SourceLocation | undefined,
): Uint8Array {
  const plain = files.opened?.(path, bytes) ?? bytes
  if (typeof plain !== 'string') return plain
  throw place === undefined
    ? fileFailure(path, `the file ${plain}`)
    : failure(place, `${path} ${plain}`)
}

function readBytes(session: Session, path: string, place: SourceLocation | undefined): Uint8Array {
  const full = absolute(session, path)
  confine(session, full, place)
  if (session.files.isDirectory(full)) throw missing(full, 'is a directory, not a file', place)
  const bytes = bytesAt(session, full, place)
  if (bytes === undefined) throw missing(full, 'does not exist', place)
  return bytes
}

function textIn(full: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw fileFailure(full, 'the file is not UTF-8 text')
  }
}

function missing(path: string, what: string, place: SourceLocation | undefined): ComposeError {
  return place === undefined
    ? fileFailure(path, `the file ${what}`)
    : failure(place, `${path} ${what}`)
}

/** The documents of a Compose file, parsed once however often it is extended or included. */
export function documentsOf(
  session: Session,
  file: string,
  place: SourceLocation | undefined,
): readonly YamlDocument[] {
  const known = session.documents.get(file)
  if (known !== undefined) return known
  const source: Source = sourceOf(file, readText(session, file, place))
  const documents = parseGuarded(source, session.release)
  session.documents.set(file, documents)
  return documents
}

/** What the YAML parser itself cannot cope with, such as brackets nested without end, is an error of the file. */
function parseGuarded(source: Source, release: Release): readonly YamlDocument[] {
  try {
    return parseYaml(source, release)
  } catch (error) {
    if (error instanceof ComposeError) throw error
    throw fileFailure(source.file, 'the YAML is nested too deep or malformed')
  }
}
