/** The model turned into the resolved project: services with and without an active profile, and all they use. */
import { throwIfAny, type ComposeProblem } from './compose-error.ts'
import { mapAt, put, toJson, type Json, type JsonObject, type MapNode } from './yaml/node.ts'
import { writtenService, type Release } from './canonical/release.ts'
import {
  sections,
  type FileObject,
  type Model,
  type Network,
  type Service,
  type Volume,
} from './schema/file.ts'
import { service } from './schema/service.ts'
import type { Decoding, Shape } from './schema/shape.ts'

type ByName<T> = Readonly<Record<string, T>>

export type Project = {
  readonly name: string
  /** only those that an active profile or none selects */
  readonly services: ByName<Service>
  readonly disabled: ByName<Service>
  readonly networks: ByName<Network>
  readonly volumes: ByName<Volume>
  readonly secrets: ByName<FileObject>
  readonly configs: ByName<FileObject>
  readonly models: ByName<Model>
  readonly extensions: JsonObject
}

export function decodeProject(
  root: MapNode,
  name: string,
  profiles: readonly string[],
  to: Pick<Decoding, 'warn' | 'release'>,
): Project {
  const problems: ComposeProblem[] = []
  const section = <T extends JsonObject>(key: string, shape: Shape<T>): T => {
    const node = root.entries.get(key)
    const decoded = node === undefined ? undefined : shape.decode(node, [key], { ...to, problems })
    return decoded ?? shape.zero
  }
  const decoded = {
    networks: section('networks', sections.networks),
    volumes: section('volumes', sections.volumes),
    secrets: section('secrets', sections.secrets),
    configs: section('configs', sections.configs),
    models: section('models', sections.models),
  }
  const services: Record<string, Service> = {}
  const disabled: Record<string, Service> = {}
  for (const [key, node] of mapAt(root, 'services')?.entries ?? []) {
    const value = service.decode(node, ['services', key], { ...to, problems })
    if (value === undefined) continue
    put(isActive(value, profiles) ? services : disabled, key, value)
  }
  throwIfAny(problems)
  return { name, services, disabled, ...decoded, extensions: extensionsOf(root, to.release) }
}

function isActive({ profiles: own = [] }: Service, profiles: readonly string[]): boolean {
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
  const services = Object.values(project.services)
  const used = (names: (service: Service) => readonly (string | undefined)[]) =>
    new Set(services.flatMap(names))
  return {
    ...project,
    networks: only(
      project.networks,
      used(({ networks = {} }) => Object.keys(networks)),
    ),
    volumes: only(
      project.volumes,
      used(({ volumes = [] }) =>
        volumes.flatMap(({ type, source }) => (type === 'volume' ? [source] : [])),
      ),
    ),
    secrets: only(
      project.secrets,
      used(({ secrets = [], build }) => sourcesOf([...secrets, ...(build?.secrets ?? [])])),
    ),
    configs: only(
      project.configs,
      used(({ configs = [] }) => sourcesOf(configs)),
    ),
    models: only(
      project.models,
      used(({ models = {} }) => Object.keys(models)),
    ),
  }
}

function sourcesOf(
  mounts: readonly { readonly source?: string }[],
): readonly (string | undefined)[] {
  return mounts.map(({ source }) => source)
}

function only<T>(resources: ByName<T>, names: ReadonlySet<string | undefined>): ByName<T> {
  return Object.fromEntries(Object.entries(resources).filter(([name]) => names.has(name)))
}

/** As this release prints it. Values of secrets, and of configs that come from variables, are not in it. */
export function writtenProject(project: Project, release: Release): Project {
  return {
    ...project,
    services: each(project.services, (one) => writtenService(one, release)),
    secrets: each(project.secrets, withoutContent),
    configs: each(project.configs, (config) =>
      config.environment === undefined ? config : withoutContent(config),
    ),
  }
}

/** The JSON that is printed. */
export function projectJson(project: Project): JsonObject {
  const { name, services, networks, volumes, secrets, configs, extensions } = project
  const filled = Object.entries({ networks, volumes, secrets, configs }).filter(
    ([, section]) => Object.keys(section).length > 0,
  )
  return { name, services, ...Object.fromEntries(filled), ...extensions }
}

function withoutContent(resource: FileObject): FileObject {
  const { content: _, ...rest } = resource
  return rest
}

export function each<T>(resources: ByName<T>, change: (resource: T, name: string) => T): ByName<T> {
  return Object.fromEntries(
    Object.entries(resources).map(([name, resource]) => [name, change(resource, name)]),
  )
}
