/** The variables and labels that services take from files. */
import { readLabelFile, readServiceEnvFile } from './env-files.ts'
import { put, type Json, type JsonObject } from './node.ts'
import type { PlaceOf } from './locate.ts'
import { objectIn, objectsIn, textIn, textsIn, type Project } from './project.ts'
import type { Environment, Session } from './session.ts'
import { sourceOf, type Place } from './source.ts'

/** With `env_file` read into `environment`: what the file sets, `environment` overrides. */
export function withEnvFiles(
  project: Project,
  session: Session,
  surroundings: Environment,
  placeOf: PlaceOf,
): Project {
  return eachService(project, (name, service) => {
    const files = objectsIn(service, 'env_file')
    const own = ownVariables(service, surroundings)
    const variables = new Map<string, string>()
    for (const [key, value] of own) if (typeof value === 'string') variables.set(key, value)
    const lookup = (key: string) => surroundings.get(key) ?? textOrNone(own.get(key))
    for (const [index, file] of files.entries()) {
      const place = placeOf(['services', name, 'env_file', index]) ?? nowhere
      const { required } = file
      const from = {
        path: textIn(file, 'path'),
        format: textIn(file, 'format'),
        isRequired: required !== false,
        place,
      }
      readServiceEnvFile(session, from, variables, lookup)
    }
    const environment = jsonOf(new Map<string, Json>([...variables, ...own]))
    const { env_file: _, environment: __, ...rest } = service
    return Object.keys(environment).length === 0 ? rest : { ...rest, environment }
  })
}

/** With `label_file` read into `labels`, which overrides it. */
export function withLabelFiles(project: Project, session: Session, placeOf: PlaceOf): Project {
  return eachService(project, (name, service) => {
    const files = textsIn(service, 'label_file')
    if (files.length === 0) return service
    const labels = new Map<string, string>()
    for (const [index, file] of files.entries()) {
      const place = placeOf(['services', name, 'label_file', index]) ?? nowhere
      readLabelFile(session, file, place, labels)
    }
    const all = jsonOf(
      new Map<string, Json>([...labels, ...Object.entries(objectIn(service, 'labels'))]),
    )
    return Object.keys(all).length === 0 ? service : { ...service, labels: all }
  })
}

const nowhere: Place = { source: sourceOf('', ''), offset: 0, key: -1 }

function ownVariables(service: JsonObject, surroundings: Environment): Map<string, Json> {
  const own = new Map<string, Json>()
  for (const [key, value] of Object.entries(objectIn(service, 'environment'))) {
    own.set(key, value ?? surroundings.get(key) ?? null)
  }
  return own
}

function textOrNone(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function jsonOf(entries: ReadonlyMap<string, Json>): JsonObject {
  const object: Record<string, Json> = {}
  for (const [key, value] of entries) put(object, key, value)
  return object
}

function eachService(
  project: Project,
  change: (name: string, service: JsonObject) => JsonObject,
): Project {
  const services = Object.entries(project.services).map(
    ([name, service]) => [name, change(name, service)] as const,
  )
  return { ...project, services: Object.fromEntries(services) }
}
