/** What a load starts from: which files, in which directory, with which variables. */
import { dirname } from 'node:path/posix'
import { fileFailure } from '../compose-error.ts'
import { readEnvFiles } from './env-files.ts'
import { clean, isWithin, joined } from './file-path.ts'
import { refuseRemote } from './remote.ts'
import { absolute, confine, exists, isFile, type Environment, type Session } from './session.ts'
import { defined } from '#model/defined.ts'

export type Wishes = {
  readonly projectDirectory: string | undefined
  readonly configFiles: readonly string[]
  readonly envFiles: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

export type Surroundings = {
  /** absolute paths of the Compose files, in order */
  readonly configFiles: readonly string[]
  readonly workingDirectory: string
  readonly environment: Environment
}

const names = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml']
const overrides = [
  'compose.override.yml',
  'compose.override.yaml',
  'docker-compose.override.yml',
  'docker-compose.override.yaml',
]

/** The variables of the process win over `--env-file`, else `.env`; those may then name the Compose files. */
export function surroundingsOf(session: Session, wishes: Wishes): Surroundings {
  const environment = new Map(Object.entries(wishes.environment))
  if (!environment.has('PWD')) environment.set('PWD', session.directory)
  const given =
    wishes.envFiles.length > 0 ? wishes.envFiles : listed(wishes.environment.COMPOSE_ENV_FILES)
  const readEnv = (directory: string) => {
    const files = given.length > 0 ? given : defaultEnvFiles(session, directory, environment)
    const places = files.map((path) => ({ path: absolute(session, path), place: undefined }))
    for (const [name, value] of readEnvFiles(session, places, environment)) {
      if (!environment.has(name)) environment.set(name, value)
    }
  }
  const wished = wishes.configFiles.map((path) => absoluteFile(session, path))
  readEnv(directoryOf(session, wishes, wished))
  const configFiles = wished.length > 0 ? wished : foundFiles(session, wishes, environment)
  const workingDirectory = directoryOf(session, wishes, configFiles)
  readEnv(workingDirectory)
  return { configFiles, workingDirectory, environment }
}

function listed(text: string | undefined): string[] {
  return (text ?? '').split(',').filter((part) => part !== '')
}

function absoluteFile(session: Session, path: string): string {
  refuseRemote(path, undefined)
  return absolute(session, path)
}

function directoryOf(session: Session, wishes: Wishes, files: readonly string[]): string {
  if (wishes.projectDirectory) return absolute(session, wishes.projectDirectory)
  return files.length > 0 ? dirname(defined(files[0])) : clean(session.directory)
}

const truths = ['1', 't', 'T', 'TRUE', 'true', 'True']
const lies = ['0', 'f', 'F', 'FALSE', 'false', 'False']

function defaultEnvFiles(session: Session, directory: string, environment: Environment): string[] {
  const off = environment.get('COMPOSE_DISABLE_ENV_FILE')
  if (off !== undefined && !lies.includes(off)) {
    if (truths.includes(off)) return []
    throw fileFailure('', `COMPOSE_DISABLE_ENV_FILE must be true or false, not "${off}"`)
  }
  const path = joined(directory, '.env')
  return isFile(session, path) ? [path] : []
}

function foundFiles(session: Session, wishes: Wishes, environment: Environment): string[] {
  const named = environment.get('COMPOSE_FILE')
  if (named === undefined) return discovered(session, directoryOf(session, wishes, []))
  const separator = environment.get('COMPOSE_PATH_SEPARATOR') || ':'
  return named.split(separator).map((path) => {
    const full = absoluteFile(session, path)
    confine(session, full, undefined)
    if (exists(session, full)) return full
    throw fileFailure(full, 'the file that COMPOSE_FILE names does not exist')
  })
}

/** The nearest directory upwards that holds a Compose file, with the override beside it. */
function discovered(session: Session, start: string): string[] {
  for (let directory = start; ; directory = dirname(directory)) {
    const isOutside = session.confinedTo !== undefined && !isWithin(session.confinedTo, directory)
    if (isOutside) return []
    const found = present(session, directory, names)
    const main = chosen(session, found, 'config')
    if (main !== undefined) {
      const override = chosen(session, present(session, directory, overrides), 'override')
      return override === undefined ? [main] : [main, override]
    }
    if (dirname(directory) === directory) return []
  }
}

function present(session: Session, directory: string, candidates: readonly string[]): string[] {
  return candidates.map((name) => joined(directory, name)).filter((path) => exists(session, path))
}

function chosen(session: Session, found: readonly string[], kind: string): string | undefined {
  if (found.length > 1) {
    session.warn(`Found multiple ${kind} files with supported names: ${found.join(', ')}`)
    session.warn(`Using ${found[0]}`)
  }
  return found[0]
}
