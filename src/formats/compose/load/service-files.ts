/** The variables and labels that services take from files. */
import { readLabelFile, readServiceEnvFile } from './env-files.ts'
import { put } from '../yaml/node.ts'
import type { PlaceOf } from './locate.ts'
import { each, type Project } from '../project.ts'
import type { Service } from '../schema/file.ts'
import type { Environment, Session } from './session.ts'
import { sourceOf, type SourceLocation } from '../yaml/source.ts'

/** With `env_file` read into `environment`: what the file sets, `environment` overrides. */
export function withEnvFiles(
  project: Project,
  session: Session,
  surroundings: Environment,
  placeOf: PlaceOf,
): Project {
  const services = each(project.services, (service, name): Service => {
    const { env_file: files = [], environment: _, ...rest } = service
    const own = ownVariables(service, surroundings)
    const variables = new Map<string, string>()
    for (const [key, value] of own) if (value !== null) variables.set(key, value)
    const lookup = (key: string) => surroundings.get(key) ?? own.get(key) ?? undefined
    for (const [index, file] of files.entries()) {
      const place = placeOf(['services', name, 'env_file', index]) ?? nowhere
      const { path = '', format = '', required } = file
      const from = { path, format, isRequired: required !== false, place }
      readServiceEnvFile(session, from, variables, lookup)
    }
    const fromFiles = [...variables.keys()].filter((key) => !own.has(key))
    if (fromFiles.length > 0) session.fromEnvFiles.set(name, new Set(fromFiles))
    const environment = objectOf(new Map<string, string | null>([...variables, ...own]))
    return Object.keys(environment).length === 0 ? rest : { ...rest, environment }
  })
  return { ...project, services }
}

/** With `label_file` read into `labels`, which overrides it. */
export function withLabelFiles(project: Project, session: Session, placeOf: PlaceOf): Project {
  const services = each(project.services, (service, name): Service => {
    const { label_file: files = [] } = service
    if (files.length === 0) return service
    const labels = new Map<string, string>()
    for (const [index, file] of files.entries()) {
      const place = placeOf(['services', name, 'label_file', index]) ?? nowhere
      readLabelFile(session, file, place, labels)
    }
    const all = objectOf(new Map([...labels, ...Object.entries(service.labels ?? {})]))
    return Object.keys(all).length === 0 ? service : { ...service, labels: all }
  })
  return { ...project, services }
}

const nowhere: SourceLocation = { source: sourceOf('', ''), offset: 0, key: -1 }

function ownVariables({ environment = {} }: Service, surroundings: Environment) {
  const own = new Map<string, string | null>()
  for (const [key, value] of Object.entries(environment)) {
    own.set(key, value ?? surroundings.get(key) ?? null)
  }
  return own
}

function objectOf<T>(entries: ReadonlyMap<string, T>): Readonly<Record<string, T>> {
  const object: Record<string, T> = {}
  for (const [key, value] of entries) put(object, key, value)
  return object
}
