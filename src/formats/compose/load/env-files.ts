/** Files of variables and labels, read through the session. */
import { readDotenv, readRawEnv } from './dotenv.ts'
import { failure } from '../compose-error.ts'
import { exists, readOpened, readText, type Environment, type Session } from './session.ts'
import type { SourceLocation } from '../yaml/source.ts'
import type { Lookup } from './substitute.ts'

/** The variables of `.env` files; the surroundings come first when one refers to another. */
export function readEnvFiles(
  session: Session,
  files: readonly { readonly path: string; readonly place: SourceLocation | undefined }[],
  surroundings: Environment,
): Map<string, string> {
  const variables = new Map<string, string>()
  for (const { path, place } of files) {
    const { text, isEncrypted } = readOpened(session, path, place)
    const lookup: Lookup = (name) => surroundings.get(name) ?? variables.get(name)
    const own = new Map(variables)
    readDotenv({ file: path, text }, own, { ...session, lookup })
    for (const [name, value] of own) {
      if (isEncrypted && variables.get(name) !== value) session.encrypted.add(name)
      variables.set(name, value)
    }
  }
  return variables
}

type ServiceEnvFile = {
  readonly path: string
  readonly isRequired: boolean
  readonly format: string
  readonly place: SourceLocation
}

/** Adds the variables of one `env_file` of a service to `variables`. */
export function readServiceEnvFile(
  session: Session,
  file: ServiceEnvFile,
  variables: Map<string, string>,
  lookup: Lookup,
): void {
  const { path, format, place } = file
  if (!exists(session, path, place)) {
    if (!file.isRequired) return
    throw failure(
      place,
      `the env file ${path} does not exist`,
      'create it, or mark it required: false',
    )
  }
  const read = { '': readDotenv, '.env': readDotenv, raw: readRawEnv }
  const entry = Object.entries(read).find(([name]) => name === format)
  if (entry === undefined)
    throw failure(place, `the env file format "${format}" is unknown`, 'use raw or leave it out')
  const { text } = readOpened(session, path, place)
  entry[1]({ file: path, text }, variables, { ...session, lookup })
}

/** The labels of a file; values may refer to labels of the files before. */
export function readLabelFile(
  session: Session,
  path: string,
  place: SourceLocation,
  labels: Map<string, string>,
): void {
  if (!exists(session, path, place)) throw failure(place, `the label file ${path} does not exist`)
  const own = new Map<string, string>()
  const text = readText(session, path, place)
  readDotenv({ file: path, text }, own, { ...session, lookup: (name) => labels.get(name) })
  for (const [name, value] of own) labels.set(name, value)
}
