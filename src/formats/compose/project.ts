/** The model turned into the resolved project: services with and without an active profile, and all they use. */
import { throwIfAny, type ComposeProblem } from './compose-error.ts'
import { mapAt, put, toJson, type Json, type JsonObject, type MapNode } from './node.ts'
import { writtenService, type Release } from './release.ts'
import { service } from './shape-service.ts'
import { fileObjects, models, networks, volumes } from './shape-model.ts'
import { isArray, isObject, type Decoding, type Shape } from './shape.ts'

export type Services = Readonly<Record<string, JsonObject>>

export type Project = {
  readonly name: string
  /** by name; only those that an active profile or none selects */
  readonly services: Services
  readonly disabled: Services
  readonly networks: JsonObject
  readonly volumes: JsonObject
  readonly secrets: JsonObject
  readonly configs: JsonObject
  readonly models: JsonObject
  readonly extensions: JsonObject
}

export function decodeProject(
  root: MapNode,
  name: string,
  profiles: readonly string[],
  to: Pick<Decoding, 'warn' | 'release'>,
): Project {
  const problems: ComposeProblem[] = []
  const section = (key: string, shape: Shape): JsonObject => {
    const node = root.entries.get(key)
    const decoded = node === undefined ? undefined : shape.decode(node, [key], { ...to, problems })
    return isObject(decoded) ? decoded : {}
  }
  const decoded = {
    networks: section('networks', networks),
    volumes: section('volumes', volumes),
    secrets: section('secrets', fileObjects),
    configs: section('configs', fileObjects),
    models: section('models', models),
  }
  const services: Record<string, JsonObject> = {}
  const disabled: Record<string, JsonObject> = {}
  for (const [key, node] of mapAt(root, 'services')?.entries ?? []) {
    const value = service.decode(node, ['services', key], { ...to, problems })
    if (!isObject(value)) continue
    put(isActive(value, profiles) ? services : disabled, key, value)
  }
  throwIfAny(problems)
  return { name, services, disabled, ...decoded, extensions: extensionsOf(root, to.release) }
}

function isActive(service: JsonObject, profiles: readonly string[]): boolean {
  const own = isArray(service.profiles) ? service.profiles : []
  return own.length === 0 || profiles.some((profile) => profile === '*' || own.includes(profile))
}

function extensionsOf(root: MapNode, release: Release): JsonObject {
  const extensions: Record<string, Json> = {}
  for (const [key, node] of root.entries)
    if (key.startsWith('x-')) extensions[key] = toJson(node, release)
  return extensions
}

/** Without the networks, volumes, secrets, configs and models that no active service uses. */
export function withoutUnused(project: Project): Project {
  const used = {
    networks: new Set(),
    volumes: new Set(),
    secrets: new Set(),
    configs: new Set(),
    models: new Set(),
  }
  for (const service of Object.values(project.services)) {
    for (const name of Object.keys(objectIn(service, 'networks'))) used.networks.add(name)
    for (const name of Object.keys(objectIn(service, 'models'))) used.models.add(name)
    for (const volume of objectsIn(service, 'volumes'))
      if (volume.type === 'volume') used.volumes.add(volume.source)
    for (const mount of objectsIn(service, 'configs')) used.configs.add(mount.source)
    const build = objectIn(service, 'build')
    for (const mount of [...objectsIn(service, 'secrets'), ...objectsIn(build, 'secrets')]) {
      used.secrets.add(mount.source)
    }
  }
  return {
    ...project,
    networks: only(project.networks, used.networks),
    volumes: only(project.volumes, used.volumes),
    secrets: only(project.secrets, used.secrets),
    configs: only(project.configs, used.configs),
    models: only(project.models, used.models),
  }
}

/** The JSON that is printed. Values of secrets, and of configs that come from variables, are not in it. */
export function projectJson(project: Project, release: Release): JsonObject {
  const services = each(project.services, (service) => writtenService(service, release))
  const result: Record<string, Json> = { name: project.name, services }
  const { networks, volumes } = project
  const sections = {
    networks,
    volumes,
    secrets: each(project.secrets, withoutContent),
    configs: each(project.configs, (config) =>
      config.environment === undefined ? config : withoutContent(config),
    ),
  }
  for (const [key, value] of Object.entries(sections))
    if (Object.keys(value).length > 0) result[key] = value
  return { ...result, ...project.extensions }
}

export function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key]
  return isObject(value) ? value : {}
}

export function objectsIn(object: JsonObject, key: string): readonly JsonObject[] {
  const value = object[key]
  return isArray(value) ? value.filter(isObject) : []
}

export function textsIn(object: JsonObject, key: string): readonly string[] {
  const value = object[key]
  return isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

export function textIn(object: JsonObject, key: string): string {
  const value = object[key]
  return typeof value === 'string' ? value : ''
}

function withoutContent(resource: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(resource).filter(([key]) => key !== 'content'))
}

function only(resources: JsonObject, names: ReadonlySet<unknown>): JsonObject {
  return Object.fromEntries(Object.entries(resources).filter(([name]) => names.has(name)))
}

function each(resources: JsonObject, change: (resource: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(resources).map(([name, resource]) => [
      name,
      isObject(resource) ? change(resource) : resource,
    ]),
  )
}
